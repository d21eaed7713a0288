// A Tapdeck team: it plays all its matches at once, over TCP, with nothing but Rust's standard library.
//
//     TAPDECK_PASSWORD=secret ./bot HOST PORT TEAM
//
// Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write. Your
// ideas go into the functions between the two lines of ====; nothing else has to change.

#![allow(dead_code)] // not everything that can be read is used yet

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

const NOBODY: i32 = -1; // targets that are not creatures
const ME: i32 = -5;
const OPPONENT: i32 = -6;

#[derive(Clone)]
struct Card {
    id: i32,
    kind: char, // C creature, H heal, D damage, T take, B buff, I deactivate
    attack: i32,
    health: i32,
    max_health: i32,
    cost: i32,
    mana: i32,   // what a creature gives when it is tapped
    awake: bool, // of creatures on the board: it can block, and after blocking attack or be tapped
}

// A match in which it is my turn. Nothing is hidden.
struct Match {
    turns_left: i32, // this one included
    full_health: i32,
    my_health: i32,
    their_health: i32,
    draws: i32, // cards that I may draw in this turn
    burns: i32, // cards that I may burn in this turn
    hand_limit: i32,
    deck: Vec<Card>, // the next card first
    hand: Vec<Card>,
    their_hand: Vec<Card>,
    mine: Vec<Card>, // creatures on both sides of the board
    theirs: Vec<Card>,
    attackers: Vec<i32>, // the ids of those of theirs that attack me now
}

// ==================================================== your ideas =====================================================

// The commands of a whole turn. Nothing is hidden and nothing is random, so it can be planned to its end.
fn plan(mut game: Match) -> Vec<String> {
    let mut commands = Vec::new();

    // Block where the blocker survives; if all attackers together would kill me, block whatever I can.
    let mut attackers: Vec<usize> =
        (0..game.theirs.len()).filter(|&i| game.attackers.contains(&game.theirs[i].id)).collect();
    let mut coming: i32 = attackers.iter().map(|&i| game.theirs[i].attack).sum();
    attackers.sort_by_key(|&i| -game.theirs[i].attack);
    for i in attackers {
        let attacker = &mut game.theirs[i];
        let (attack, deadly) = (attacker.attack, coming >= game.my_health);
        let free = game.mine.iter_mut().filter(|c| c.awake && (c.health > attack || deadly));
        let blocker = match free.min_by_key(|c| (c.health <= attack, c.health)) {
            Some(blocker) if attack > 0 => blocker,
            _ => continue,
        };
        commands.push(format!("BLOCK {} {}", attacker.id, blocker.id));
        blocker.awake = false;
        blocker.health -= attack;
        attacker.health -= blocker.attack;
        coming -= attack;
    }
    game.my_health -= coming;
    game.mine.retain(|creature| creature.health > 0);
    game.theirs.retain(|creature| creature.health > 0);
    for creature in &mut game.mine {
        creature.awake = true; // as soon as blocking is over
    }

    // Draw what I may. Its cards can be played at once.
    let mut wishes = game.hand.clone();
    let room = (game.hand_limit - wishes.len() as i32).min(game.draws).max(0) as usize;
    for card in game.deck.iter().take(room) {
        commands.push("DRAW_CARD".to_string());
        wishes.push(card.clone());
    }

    // Play what I can pay, creatures first. Creatures are tapped for mana as it is needed, the weakest attackers first.
    let mut mana = 0;
    let mut sources: Vec<usize> = (0..game.mine.len()).filter(|&i| game.mine[i].mana > 0).collect();
    sources.sort_by_key(|&i| (game.mine[i].attack, -game.mine[i].mana));
    wishes.sort_by_key(|card| (card.kind != 'C', -card.mana, -card.cost));
    for card in wishes {
        let reserve: i32 = sources.iter().map(|&i| game.mine[i].mana).sum();
        let target = match find_target(&game, &card) {
            Some(target) if card.cost <= mana + reserve => target,
            _ => continue,
        };
        while mana < card.cost {
            let source = &mut game.mine[sources.remove(0)];
            commands.push(format!("ADD_MANA {}", source.id));
            mana += source.mana;
            source.awake = false;
        }
        mana -= card.cost;
        commands.push(format!("PLAY_CARD {} {}", card.id, target));
        if card.kind == 'D' && target == OPPONENT {
            game.their_health -= card.attack;
        } else if card.kind == 'D' {
            game.theirs.retain(|creature| creature.id != target);
        }
    }

    // Attack with all that were not tapped, unless their answer could kill me first.
    let ready: Vec<&Card> = game.mine.iter().filter(|c| c.awake && c.attack > 0).collect();
    let theirs: i32 = game.theirs.iter().map(|creature| creature.attack).sum();
    if theirs < game.my_health || ready.iter().map(|creature| creature.attack).sum::<i32>() >= game.their_health {
        commands.extend(ready.iter().map(|creature| format!("ATTACK {}", creature.id)));
    }
    commands
}

// The target to play a card on; None if it would be wasted.
fn find_target(game: &Match, card: &Card) -> Option<i32> {
    let enemy = strongest(&game.theirs);
    match card.kind {
        'C' => Some(NOBODY),
        'T' => Some(ME),
        'H' => Some(ME).filter(|_| game.my_health < game.full_health),
        'B' => strongest(&game.mine).map(|creature| creature.id),
        'I' => enemy.filter(|creature| creature.awake).map(|creature| creature.id),
        _ if card.attack >= game.their_health => Some(OPPONENT),
        _ => Some(enemy.filter(|creature| creature.health <= card.attack).map_or(OPPONENT, |creature| creature.id)),
    }
}

fn strongest(creatures: &[Card]) -> Option<&Card> {
    creatures.iter().rev().max_by_key(|creature| creature.attack) // the first of equals
}

// ===================================================== the frame =====================================================

const ONE_LINE: [&str; 6] =
    ["GET_TURN_INFO", "GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD"];
const COUNTED: [&str; 4] = ["GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"];
// The turn is asked again behind everything else: if it has changed, the answers do not fit together.
const QUESTIONS: [&str; 7] =
    ["GET_HP", "GET_CARD_LIMITS", "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS", "GET_TURN_INFO"];

type Lines = Vec<String>;

fn fail(message: &str) -> ! {
    eprintln!("{}", message);
    std::process::exit(1)
}

struct Server {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Server {
    fn connect(address: &str) -> std::io::Result<Server> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let reader = BufReader::new(stream.try_clone()?);
        Ok(Server { stream, reader })
    }

    // The next line. The server ends an event by closing the connection.
    fn line(&mut self) -> String {
        let mut line = String::new();
        if self.reader.read_line(&mut line).unwrap_or(0) == 0 {
            println!("the server ended the connection");
            std::process::exit(0);
        }
        line.trim().to_string()
    }

    fn send(&mut self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{}\n", line)).collect();
        self.stream.write_all(text.as_bytes()).ok(); // if it is closed, the next line says so
    }

    fn expect(&mut self, wanted: &str) {
        let said = self.line();
        if said != wanted {
            fail(&format!("expected {}, the server said: {}", wanted, said));
        }
    }

    // Send many commands at once. Returns the data lines of each reply; None where a command was refused.
    fn ask(&mut self, commands: &[String]) -> Vec<Option<Lines>> {
        self.send(commands);
        commands.iter().map(|command| self.reply(command.split(' ').next().unwrap())).collect()
    }

    fn reply(&mut self, name: &str) -> Option<Lines> {
        let status = self.line();
        if status.starts_with("ERR") {
            match status.split(' ').nth(1) {
                Some("6") => self.expect("OK"), // too many commands: an OK follows when the next turn starts
                Some("913") | Some("932") => (), // these two only say that it came too late
                _ => eprintln!("{}: {}", name, status),
            }
            return None;
        }
        let mut lines = Vec::new();
        let mut more = if name == "GET_MY_MATCHES" { 2 } else { ONE_LINE.contains(&name) as i32 };
        if name == "WAIT" {
            self.expect("OK");
        }
        if COUNTED.contains(&name) {
            lines.push(self.line());
            more = numbers(&lines[0]).iter().sum();
        }
        lines.extend((0..more).map(|_| self.line()));
        Some(lines)
    }
}

// The numbers in a line; a word that is not a number counts as 0.
fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect()
}

fn card(line: &String) -> Card {
    let n = numbers(line);
    Card {
        id: n[0],
        kind: line.split(' ').nth(1).unwrap().chars().next().unwrap(),
        attack: n[2],
        health: n[3],
        max_health: n[4],
        cost: n[5],
        mana: n[6],
        awake: n.get(7) == Some(&1),
    }
}

// A reply with two counts: my cards and my opponent's.
fn two_lists(lines: &[String]) -> (Vec<Card>, Vec<Card>) {
    let (mine, theirs) = lines[1..].split_at(numbers(&lines[0])[0] as usize);
    (mine.iter().map(card).collect(), theirs.iter().map(card).collect())
}

// The answers to the questions about a match.
fn read_match(replies: &[&Lines]) -> Match {
    let (hp, limits) = (numbers(&replies[0][0]), numbers(&replies[1][0]));
    let (hand, their_hand) = two_lists(replies[3]);
    let (mine, theirs) = two_lists(replies[4]);
    Match {
        turns_left: numbers(&replies[6][0])[1],
        full_health: hp[0],
        my_health: hp[1],
        their_health: hp[2],
        draws: limits[0],
        burns: limits[1],
        hand_limit: limits[2],
        deck: replies[2][1..].iter().map(card).collect(),
        hand,
        their_hand,
        mine,
        theirs,
        attackers: replies[5][1..].iter().map(|line| card(line).id).collect(),
    }
}

// Play turn after turn, in all matches at once.
fn play(mut server: Server) -> ! {
    loop {
        let reply = server.ask(&["GET_MY_MATCHES".to_string()]).remove(0);
        let ids: Lines = reply.map_or(Vec::new(), |lines| lines[1].split_whitespace().map(String::from).collect());
        let asked: Lines = ids.iter().map(|id| format!("GET_TURN_INFO {}", id)).collect();
        let infos = server.ask(&asked);
        let mut to_move = Vec::new();
        for (id, info) in ids.iter().zip(infos) {
            if let Some(lines) = info {
                if lines[0].starts_with("1 ") {
                    to_move.push((id, lines));
                }
            }
        }
        let asked: Lines = to_move
            .iter()
            .flat_map(|(id, _)| QUESTIONS.iter().map(move |question| format!("{} {}", question, id)))
            .collect();
        let answers = server.ask(&asked);
        let mut commands = Vec::new();
        for ((id, turn), replies) in to_move.iter().zip(answers.chunks(QUESTIONS.len())) {
            let replies: Vec<&Lines> = replies.iter().flatten().collect();
            if replies.len() < QUESTIONS.len() || replies[QUESTIONS.len() - 1] != turn {
                continue;
            }
            for command in plan(read_match(&replies)) {
                let (name, arguments) = command.split_once(' ').unwrap_or((&command, ""));
                commands.push(format!("{} {} {}", name, id, arguments).trim().to_string());
            }
        }
        server.ask(&commands);
        server.ask(&["WAIT".to_string()]);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let password = std::env::var("TAPDECK_PASSWORD").unwrap_or_default();
    if words.len() != 4 || password.is_empty() {
        fail("usage: TAPDECK_PASSWORD=... ./bot HOST PORT TEAM");
    }
    let address = format!("{}:{}", words[1], words[2]);
    let mut server = Server::connect(&address)
        .unwrap_or_else(|error| fail(&format!("no connection to {}: {}. Is the event running?", address, error)));
    server.expect("LOGIN");
    server.send(&[words[3].clone()]);
    server.expect("PASS");
    server.send(&[password]);
    server.expect("OK");
    play(server)
}
