// A Tapdeck team: it plays all its matches at once, over TCP, with nothing but Go's standard library.
//
//	TAPDECK_PASSWORD=secret ./bot HOST PORT TEAM
//
// Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write. Your
// ideas go into the functions between the two lines of ====; nothing else has to change.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
)

const (
	nobody   = -1 // targets that are not creatures
	me       = -5
	opponent = -6
	wasted   = 0 // no target at all
)

type Card struct {
	id        int
	kind      string // C creature, H heal, D damage, T take, B buff, I deactivate
	attack    int
	health    int
	maxHealth int
	cost      int
	mana      int  // what a creature gives when it is tapped
	awake     bool // of creatures on the board: it can block, and after blocking attack or be tapped
}

// Match is a match in which it is my turn. Nothing is hidden.
type Match struct {
	turnsLeft                         int // this one included
	fullHealth, myHealth, theirHealth int
	draws, burns, handLimit           int     // cards that I may draw and burn in this turn
	deck                              []*Card // the next card first
	hand, theirHand                   []*Card
	mine, theirs                      []*Card // creatures on both sides of the board
	attackers                         []*Card // those of theirs that attack me now
}

// ==================================================== your ideas =====================================================

// The commands of a whole turn. Nothing is hidden and nothing is random, so it can be planned to its end.
func plan(match *Match) []string {
	var commands []string
	say := func(format string, values ...any) { commands = append(commands, fmt.Sprintf(format, values...)) }

	// Block where the blocker survives; if all attackers together would kill me, block whatever I can.
	coming := attackOf(match.attackers)
	attackers := append([]*Card{}, match.attackers...)
	sort.SliceStable(attackers, func(i, j int) bool { return attackers[i].attack > attackers[j].attack })
	for _, attacker := range attackers {
		var blocker *Card
		for _, card := range match.mine {
			survives := card.health > attacker.attack
			if !card.awake || (!survives && coming < match.myHealth) {
				continue
			}
			if blocker == nil || (survives && blocker.health <= attacker.attack) ||
				(survives == (blocker.health > attacker.attack) && card.health < blocker.health) {
				blocker = card
			}
		}
		if attacker.attack == 0 || blocker == nil {
			continue
		}
		say("BLOCK %d %d", attacker.id, blocker.id)
		blocker.awake = false
		blocker.health -= attacker.attack
		attacker.health -= blocker.attack
		coming -= attacker.attack
	}
	match.myHealth -= coming
	alive := func(card *Card) bool { return card.health > 0 }
	match.mine, match.theirs = filter(match.mine, alive), filter(match.theirs, alive)
	for _, creature := range match.mine {
		creature.awake = true // as soon as blocking is over
	}

	// Draw what I may. Its cards can be played at once.
	wishes := append([]*Card{}, match.hand...)
	for i := 0; i < match.draws && i < len(match.deck) && len(wishes) < match.handLimit; i++ {
		say("DRAW_CARD")
		wishes = append(wishes, match.deck[i])
	}

	// Play what I can pay, creatures first. Creatures are tapped for mana as it is needed, the weakest attackers first.
	mana := 0
	sources := filter(match.mine, func(card *Card) bool { return card.mana > 0 })
	sort.SliceStable(sources, func(i, j int) bool {
		a, b := sources[i], sources[j]
		return a.attack < b.attack || (a.attack == b.attack && a.mana > b.mana)
	})
	sort.SliceStable(wishes, func(i, j int) bool {
		a, b := wishes[i], wishes[j]
		if (a.kind == "C") != (b.kind == "C") {
			return a.kind == "C"
		}
		return a.mana > b.mana || (a.mana == b.mana && a.cost > b.cost)
	})
	for _, card := range wishes {
		target, available := findTarget(match, card), mana
		for _, source := range sources {
			available += source.mana
		}
		if target == wasted || card.cost > available {
			continue
		}
		for mana < card.cost {
			source := sources[0]
			sources = sources[1:]
			say("ADD_MANA %d", source.id)
			mana += source.mana
			source.awake = false
		}
		mana -= card.cost
		say("PLAY_CARD %d %d", card.id, target)
		if card.kind == "D" && target == opponent {
			match.theirHealth -= card.attack
		} else if card.kind == "D" {
			match.theirs = filter(match.theirs, func(other *Card) bool { return other.id != target })
		}
	}

	// Attack with all that were not tapped, unless their answer could kill me first.
	ready := filter(match.mine, func(card *Card) bool { return card.awake && card.attack > 0 })
	if attackOf(match.theirs) < match.myHealth || attackOf(ready) >= match.theirHealth {
		for _, creature := range ready {
			say("ATTACK %d", creature.id)
		}
	}
	return commands
}

// The target to play a card on.
func findTarget(match *Match, card *Card) int {
	enemy, friend := strongest(match.theirs), strongest(match.mine)
	switch {
	case card.kind == "C":
		return nobody
	case card.kind == "T", card.kind == "H" && match.myHealth < match.fullHealth:
		return me
	case card.kind == "B" && friend != nil:
		return friend.id
	case card.kind == "I" && enemy != nil && enemy.awake:
		return enemy.id
	case card.kind == "D" && enemy != nil && enemy.health <= card.attack && card.attack < match.theirHealth:
		return enemy.id
	case card.kind == "D":
		return opponent
	}
	return wasted
}

func strongest(creatures []*Card) *Card {
	var best *Card
	for _, creature := range creatures {
		if best == nil || creature.attack > best.attack {
			best = creature
		}
	}
	return best
}

func attackOf(creatures []*Card) int {
	total := 0
	for _, creature := range creatures {
		total += creature.attack
	}
	return total
}

func filter(cards []*Card, wanted func(*Card) bool) []*Card {
	var found []*Card
	for _, card := range cards {
		if wanted(card) {
			found = append(found, card)
		}
	}
	return found
}

// ===================================================== the frame =====================================================

// The turn is asked again behind everything else: if it has changed, the answers do not fit together.
var questions = strings.Fields("GET_HP GET_CARD_LIMITS GET_DECK GET_HANDS GET_BOARD GET_ATTACKERS GET_TURN_INFO")

type Server struct {
	connection net.Conn
	lines      *bufio.Reader
}

// The next line. The server ends an event by closing the connection.
func (s *Server) line() string {
	line, err := s.lines.ReadString('\n')
	if err != nil {
		fmt.Println("the server ended the connection")
		os.Exit(0)
	}
	return strings.TrimSpace(line)
}

func (s *Server) send(lines ...string) {
	if len(lines) > 0 {
		fmt.Fprint(s.connection, strings.Join(lines, "\n")+"\n")
	}
}

func (s *Server) expect(wanted string) {
	if said := s.line(); said != wanted {
		fail("expected %s, the server said: %s", wanted, said)
	}
}

// Send many commands at once. Returns the data lines of each reply; nil where a command was refused.
func (s *Server) ask(commands ...string) [][]string {
	s.send(commands...)
	replies := make([][]string, len(commands))
	for i, command := range commands {
		replies[i] = s.reply(strings.Fields(command)[0])
	}
	return replies
}

func (s *Server) reply(name string) []string {
	status := strings.Fields(s.line())
	if status[0] == "ERR" {
		if status[1] == "6" { // too many commands: an OK follows when the next turn starts
			s.expect("OK")
		} else if status[1] != "913" && status[1] != "932" { // these two only say that it came too late
			fmt.Fprintf(os.Stderr, "%s: %s\n", name, strings.Join(status, " "))
		}
		return nil
	}
	lines := []string{}
	more := 0
	switch name {
	case "WAIT":
		s.expect("OK")
	case "GET_MY_MATCHES":
		more = 2
	case "GET_TURN_INFO", "GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD":
		more = 1
	case "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS":
		lines = append(lines, s.line())
		for _, count := range numbers(lines[0]) {
			more += count
		}
	}
	for ; more > 0; more-- {
		lines = append(lines, s.line())
	}
	return lines
}

func numbers(line string) []int {
	var found []int
	for _, word := range strings.Fields(line) {
		number, _ := strconv.Atoi(word)
		found = append(found, number)
	}
	return found
}

func readCards(lines []string) []*Card {
	var cards []*Card
	for _, line := range lines {
		n := numbers(line)
		card := &Card{id: n[0], kind: strings.Fields(line)[1], attack: n[2], health: n[3], maxHealth: n[4], cost: n[5],
			mana: n[6], awake: len(n) > 7 && n[7] == 1}
		cards = append(cards, card)
	}
	return cards
}

// A reply with two counts: my cards and my opponent's.
func twoLists(lines []string) ([]*Card, []*Card) {
	cards, count := readCards(lines[1:]), numbers(lines[0])[0]
	return cards[:count], cards[count:]
}

// The answers to the questions about a match.
func readMatch(replies [][]string) *Match {
	hp, limits, turn := numbers(replies[0][0]), numbers(replies[1][0]), numbers(replies[6][0])
	match := &Match{turnsLeft: turn[1], fullHealth: hp[0], myHealth: hp[1], theirHealth: hp[2], draws: limits[0],
		burns: limits[1], handLimit: limits[2], deck: readCards(replies[2][1:])}
	match.hand, match.theirHand = twoLists(replies[3])
	match.mine, match.theirs = twoLists(replies[4])
	attacking := map[int]bool{}
	for _, card := range readCards(replies[5][1:]) {
		attacking[card.id] = true
	}
	match.attackers = filter(match.theirs, func(card *Card) bool { return attacking[card.id] })
	return match
}

// Play turn after turn, in all matches at once.
func play(server *Server) {
	for {
		var asked, toMove, turns, commands []string
		var matches []string
		if reply := server.ask("GET_MY_MATCHES")[0]; reply != nil {
			matches = strings.Fields(reply[1])
		}
		for _, match := range matches {
			asked = append(asked, "GET_TURN_INFO "+match)
		}
		for i, reply := range server.ask(asked...) {
			if reply != nil && strings.HasPrefix(reply[0], "1 ") {
				toMove, turns = append(toMove, matches[i]), append(turns, reply[0])
			}
		}
		asked = nil
		for _, match := range toMove {
			for _, question := range questions {
				asked = append(asked, question+" "+match)
			}
		}
		answers := server.ask(asked...)
		for i, match := range toMove {
			replies := answers[i*len(questions) : (i+1)*len(questions)]
			complete := true
			for _, reply := range replies {
				complete = complete && reply != nil
			}
			if !complete || replies[len(replies)-1][0] != turns[i] {
				continue
			}
			for _, command := range plan(readMatch(replies)) {
				name, arguments, _ := strings.Cut(command, " ")
				commands = append(commands, strings.TrimSpace(name+" "+match+" "+arguments))
			}
		}
		server.ask(commands...)
		server.ask("WAIT")
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

func main() {
	password := os.Getenv("TAPDECK_PASSWORD")
	if len(os.Args) != 4 || password == "" {
		fail("usage: TAPDECK_PASSWORD=... ./bot HOST PORT TEAM")
	}
	address := net.JoinHostPort(os.Args[1], os.Args[2])
	connection, err := net.Dial("tcp", address) // Go turns Nagle's algorithm off by itself
	if err != nil {
		fail("no connection to %s: %v. Is the event running?", address, err)
	}
	server := &Server{connection, bufio.NewReader(connection)}
	server.expect("LOGIN")
	server.send(os.Args[3])
	server.expect("PASS")
	server.send(password)
	server.expect("OK")
	play(server)
}
