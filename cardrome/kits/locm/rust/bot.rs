// A bot for Legends of Code and Magic that plays every edition.
//
// It reads what the referee sends, decides, and answers with one line. Your ideas go into the functions between the two
// lines of ====; nothing else has to change. Never print anything but answers: debug with eprintln!.

#![allow(dead_code)] // not everything that can be read is used yet

use std::io::BufRead;

const CREATURE: i32 = 0; // types of cards; all but creatures are items
const GREEN: i32 = 1;
const RED: i32 = 2;
const BLUE: i32 = 3;

const HAND: i32 = 0; // where a card is: in my hand, on my board, on my opponent's board
const MINE: i32 = 1;
const THEIRS: i32 = -1;

const TARGET: i32 = 0; // what a card works on: one creature, all of its lane, both lanes
const LANE1: i32 = 1;
const LANE2: i32 = 2;

const FACE: i32 = -1; // the target that means my opponent, not a creature

struct Player {
    health: i32,
    mana: i32, // at the start of the turn; 0 before the battle
    deck: i32, // cards left to draw
    rune: i32, // the next health at which a card is drawn; 0 where there are no runes
    draw: i32, // cards drawn this turn (my opponent: next turn); 0 in editions that do not say
}

#[derive(Clone)]
struct Card {
    number: i32, // which card it is
    id: i32,     // which copy of it: actions name cards by their ids
    location: i32,
    kind: i32,
    cost: i32,
    attack: i32,
    defense: i32,
    abilities: String, // Breakthrough, Charge, Drain, Guard, Lethal, Ward: "BCDGLW", with - for what is missing
    my_health: i32,    // what playing it does to my health,
    opponent_health: i32, // to my opponent's,
    draw: i32,         // and how many more cards I draw next turn
    area: i32,         // TARGET in editions without areas
    lane: usize,       // 0 or 1 on the board
}

impl Card {
    fn has(&self, ability: char) -> bool {
        self.abilities.contains(ability)
    }
}

// Everything the referee tells me before it waits for an answer.
struct Turn {
    me: Player,
    opponent: Player,
    opponent_hand: i32,            // how many cards my opponent holds
    opponent_actions: Vec<String>, // what they did in their last turn, as "cardNumber ACTION"
    cards: Vec<Card>,
    lanes: usize, // 1 or 2
}

impl Turn {
    fn at(&self, location: i32) -> Vec<Card> {
        self.cards.iter().filter(|card| card.location == location).cloned().collect()
    }
}

// ==================================================== your ideas =====================================================

// How much I want a card in my deck.
fn value(card: &Card) -> f64 {
    let keywords = card.abilities.chars().filter(|&c| c != '-').count();
    let mut worth = f64::from(card.attack.abs() + card.defense.abs() + keywords as i32 + 2 * card.draw);
    worth += f64::from(card.my_health - card.opponent_health) / 2.0;
    if card.area != TARGET {
        worth *= 1.5;
    }
    worth - 2.5 * f64::from(card.cost) - if card.kind == CREATURE { 0.0 } else { 3.0 }
}

// The places of cards in the list, the best first.
fn best_first(cards: &[Card]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..cards.len()).collect();
    places.sort_by(|&a, &b| value(&cards[b]).partial_cmp(&value(&cards[a])).unwrap());
    places
}

// Draft: three cards are offered thirty times, and I take one.
fn pick(turn: &Turn) -> String {
    format!("PICK {}", best_first(&turn.cards)[0])
}

// Constructed (1.5): choose thirty of all cards at once, at most two of each.
fn construct(turn: &Turn) -> String {
    let numbers = best_first(&turn.cards).into_iter().take(15).map(|place| turn.cards[place].number);
    let choices: Vec<String> = numbers.map(|n| format!("CHOOSE {};CHOOSE {}", n, n)).collect();
    choices.join(";")
}

// One turn of the battle, as a list of actions. They are carried out in this order.
fn battle(turn: &Turn) -> Vec<String> {
    let mut actions = Vec::new();
    let mut mana = turn.me.mana;
    let (mut hand, mut mine, mut theirs) = (turn.at(HAND), turn.at(MINE), turn.at(THEIRS));
    hand.sort_by_key(|card| -card.cost);

    // Summon the dearest creatures that I can pay, each into the lane where I have fewer.
    let mut room = vec![6 / turn.lanes as i32; turn.lanes];
    for card in &mine {
        room[card.lane] -= 1;
    }
    let rested = mine.len(); // those behind them were summoned in this turn
    for card in &hand {
        let lane = if turn.lanes == 2 && room[1] > room[0] { 1 } else { 0 };
        if card.kind != CREATURE || card.cost > mana || room[lane] <= 0 {
            continue;
        }
        actions.push(if turn.lanes == 2 {
            format!("SUMMON {} {}", card.id, lane)
        } else {
            format!("SUMMON {}", card.id)
        });
        mana -= card.cost;
        room[lane] -= 1;
        if card.area != TARGET {
            room[if card.area == LANE1 { lane } else { 1 - lane }] -= 1; // a second one appears, if it has room
        }
        mine.push(Card { lane, ..card.clone() });
    }

    // Attack: creatures with Guard have to be dealt with first, then my opponent.
    for (i, card) in mine.iter_mut().enumerate() {
        if card.attack == 0 || (i >= rested && !card.has('C')) {
            continue; // only Charge need not wait a turn
        }
        let guards = theirs.iter_mut().filter(|enemy| enemy.lane == card.lane && enemy.has('G'));
        if let Some(guard) = guards.min_by_key(|enemy| enemy.defense) {
            actions.push(format!("ATTACK {} {}", card.id, guard.id));
            strike(card, guard);
            strike(guard, card);
        } else {
            actions.push(format!("ATTACK {} {}", card.id, FACE));
        }
        theirs.retain(|enemy| enemy.defense > 0);
    }
    mine.retain(|card| card.defense > 0);

    // Use items with the mana that is left: on the strongest creature, or (blue) on my opponent.
    for card in &hand {
        if card.kind == CREATURE || card.cost > mana {
            continue;
        }
        let targets = if card.kind == GREEN { &mine } else { &theirs };
        let strongest = targets.iter().rev().max_by_key(|creature| creature.attack); // the first of equals
        let target = match (card.kind, strongest) {
            (BLUE, _) => FACE,
            (_, Some(creature)) => creature.id,
            (_, None) => continue,
        };
        actions.push(format!("USE {} {}", card.id, target));
        mana -= card.cost;
        if card.kind == RED {
            theirs.clear(); // whoever it hits may be gone: one red item a turn is enough
        }
    }
    actions
}

// What the blow of one creature does to another. In a fight both strike.
fn strike(attacker: &Card, defender: &mut Card) {
    if attacker.attack <= 0 {
        return;
    }
    if defender.has('W') {
        defender.abilities = defender.abilities.replace('W', "-");
    } else if attacker.has('L') {
        defender.defense = 0;
    } else {
        defender.defense -= attacker.attack;
    }
}

// ===================================================== the frame =====================================================

// The line to answer. Before the battle I have no mana; in it I have some.
fn decide(turn: &Turn) -> String {
    if turn.me.mana == 0 {
        return if turn.cards.len() == 3 { pick(turn) } else { construct(turn) };
    }
    if turn.me.health <= 0 {
        return "PASS".to_string(); // I am dead: the referee still wants an answer
    }
    let actions = battle(turn);
    if actions.is_empty() { "PASS".to_string() } else { actions.join(";") }
}

// The next line. The referee ends a game by closing the input.
fn read_line() -> String {
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line).expect("the input cannot be read") == 0 {
        std::process::exit(0);
    }
    line
}

// The numbers in a line; a word that is not a number counts as 0.
fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect()
}

fn player(line: &[i32], has_actions: bool) -> Player {
    Player {
        health: line[0],
        mana: line[1],
        deck: line[2],
        rune: if line.len() == 5 || !has_actions { line[3] } else { 0 },
        draw: if has_actions { line[line.len() - 1] } else { 0 },
    }
}

fn card(line: &str) -> Card {
    let n = numbers(line);
    Card {
        number: n[0],
        id: n[1],
        location: n[2],
        kind: n[3],
        cost: n[4],
        attack: n[5],
        defense: n[6],
        abilities: line.split_whitespace().nth(7).unwrap().to_string(),
        my_health: n[8],
        opponent_health: n[9],
        draw: n[10],
        area: if n.len() == 13 { n[11] } else { TARGET },
        lane: if n.len() > 11 { n[n.len() - 1].max(0) as usize } else { 0 },
    }
}

// Read all that the referee sends before it waits for an answer. Editions differ in what a line holds.
fn read_turn() -> Turn {
    let (me, opponent, third) = (numbers(&read_line()), numbers(&read_line()), numbers(&read_line()));
    let has_actions = third.len() == 2; // the oldest editions do not tell what my opponent did
    let actions = if has_actions { third[1] } else { 0 };
    let opponent_actions = (0..actions).map(|_| read_line().trim().to_string()).collect();
    let lines: Vec<String> = (0..numbers(&read_line())[0]).map(|_| read_line()).collect();
    Turn {
        me: player(&me, has_actions),
        opponent: player(&opponent, has_actions),
        opponent_hand: third[0],
        opponent_actions,
        cards: lines.iter().map(|line| card(line)).collect(),
        lanes: if lines.iter().any(|line| numbers(line).len() > 11) { 2 } else { 1 },
    }
}

fn main() {
    loop {
        println!("{}", decide(&read_turn()));
    }
}
