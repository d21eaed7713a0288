// A bot for Legends of Code and Magic that plays every edition.
//
// It reads what the referee sends, decides, and answers with one line. Your ideas go into the functions between the two
// lines of ====; nothing else has to change. Never print anything but answers: debug with fmt.Fprintln(os.Stderr, ...).
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

const (
	creature = iota // types of cards; all but creatures are items
	green
	red
	blue
)

const (
	theirs = iota - 1 // where a card is: on my opponent's board, in my hand, on my board
	hand
	mine
)

const (
	target = iota // what a card works on: one creature, all of its lane, both lanes
	lane1
	lane2
)

const face = -1 // the target that means my opponent, not a creature

type Player struct {
	health int
	mana   int // at the start of the turn; 0 before the battle
	deck   int // cards left to draw
	rune_  int // the next health at which a card is drawn; 0 where there are no runes
	draw   int // cards drawn this turn (my opponent: next turn); 0 in editions that do not say
}

type Card struct {
	number                                int // which card it is
	id                                    int // which copy of it: actions name cards by their ids
	location, kind, cost, attack, defense int
	abilities                             string // Breakthrough, Charge, Drain, Guard, Lethal, Ward: "BCDGLW", or -
	myHealth                              int    // what playing it does to my health,
	opponentHealth                        int    // to my opponent's,
	draw                                  int    // and how many more cards I draw next turn
	area                                  int    // target in editions without areas
	lane                                  int    // 0 or 1 on the board, -1 elsewhere
}

func (c *Card) has(ability string) bool { return strings.Contains(c.abilities, ability) }

// Turn is everything the referee tells me before it waits for an answer.
type Turn struct {
	me, opponent    Player
	opponentHand    int      // how many cards my opponent holds
	opponentActions []string // what they did in their last turn, as "cardNumber ACTION"
	cards           []*Card
	lanes           int // 1 or 2
}

func (t *Turn) at(location int) []*Card {
	return filter(t.cards, func(card *Card) bool { return card.location == location })
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

// ==================================================== your ideas =====================================================

// How much I want a card in my deck.
func value(card *Card) float64 {
	keywords := 6 - strings.Count(card.abilities, "-")
	worth := float64(abs(card.attack)+abs(card.defense)+keywords+2*card.draw) +
		float64(card.myHealth-card.opponentHealth)/2
	if card.area != target {
		worth *= 1.5
	}
	if card.kind != creature {
		worth -= 3
	}
	return worth - 2.5*float64(card.cost)
}

// The places of cards in the list, the best first.
func bestFirst(cards []*Card) []int {
	places := make([]int, len(cards))
	for i := range places {
		places[i] = i
	}
	sort.SliceStable(places, func(i, j int) bool { return value(cards[places[i]]) > value(cards[places[j]]) })
	return places
}

// Draft: three cards are offered thirty times, and I take one.
func pick(turn *Turn) string {
	return fmt.Sprintf("PICK %d", bestFirst(turn.cards)[0])
}

// Constructed (1.5): choose thirty of all cards at once, at most two of each.
func construct(turn *Turn) string {
	var choices []string
	for _, place := range bestFirst(turn.cards)[:15] {
		choice := fmt.Sprintf("CHOOSE %d", turn.cards[place].number)
		choices = append(choices, choice, choice)
	}
	return strings.Join(choices, ";")
}

// One turn of the battle, as a list of actions. They are carried out in this order.
func battle(turn *Turn) []string {
	var actions []string
	mana := turn.me.mana
	cards, friends, enemies := turn.at(hand), turn.at(mine), turn.at(theirs)
	attackers := append([]*Card{}, friends...)
	sort.SliceStable(cards, func(i, j int) bool { return cards[i].cost > cards[j].cost })

	// Summon the dearest creatures that I can pay, each into the lane where I have fewer.
	room := make([]int, turn.lanes)
	for i := range room {
		room[i] = 6 / turn.lanes
	}
	for _, card := range friends {
		room[card.lane]--
	}
	for _, card := range cards {
		lane := 0
		if turn.lanes == 2 && room[1] > room[0] {
			lane = 1
		}
		if card.kind != creature || card.cost > mana || room[lane] <= 0 {
			continue
		}
		if turn.lanes == 2 {
			actions = append(actions, fmt.Sprintf("SUMMON %d %d", card.id, lane))
		} else {
			actions = append(actions, fmt.Sprintf("SUMMON %d", card.id))
		}
		mana -= card.cost
		room[lane]--
		if card.area == lane1 { // a second one appears, if it has room
			room[lane]--
		} else if card.area == lane2 {
			room[1-lane]--
		}
		card.lane = lane
		friends = append(friends, card)
		if card.has("C") { // all others have to wait a turn
			attackers = append(attackers, card)
		}
	}

	// Attack: creatures with Guard have to be dealt with first, then my opponent.
	alive := func(card *Card) bool { return card.defense > 0 }
	for _, card := range attackers {
		if card.attack == 0 {
			continue
		}
		var guard *Card
		for _, enemy := range enemies {
			if enemy.lane == card.lane && enemy.has("G") && (guard == nil || enemy.defense < guard.defense) {
				guard = enemy
			}
		}
		if guard == nil {
			actions = append(actions, fmt.Sprintf("ATTACK %d %d", card.id, face))
			continue
		}
		actions = append(actions, fmt.Sprintf("ATTACK %d %d", card.id, guard.id))
		strike(card, guard)
		strike(guard, card)
		enemies = filter(enemies, alive)
	}
	friends = filter(friends, alive)

	// Use items with the mana that is left: on the strongest creature, or (blue) on my opponent.
	for _, card := range cards {
		if card.kind == creature || card.cost > mana {
			continue
		}
		targets, aim := enemies, face
		if card.kind == green {
			targets = friends
		}
		if card.kind != blue {
			if len(targets) == 0 {
				continue
			}
			strongest := targets[0]
			for _, other := range targets {
				if other.attack > strongest.attack {
					strongest = other
				}
			}
			aim = strongest.id
		}
		actions = append(actions, fmt.Sprintf("USE %d %d", card.id, aim))
		mana -= card.cost
		if card.kind == red {
			enemies = nil // whoever it hits may be gone: one red item a turn is enough
		}
	}
	return actions
}

// What the blow of one creature does to another. In a fight both strike.
func strike(attacker, defender *Card) {
	switch {
	case attacker.attack <= 0:
	case defender.has("W"):
		defender.abilities = strings.Replace(defender.abilities, "W", "-", 1)
	case attacker.has("L"):
		defender.defense = 0
	default:
		defender.defense -= attacker.attack
	}
}

// ===================================================== the frame =====================================================

// The line to answer. Before the battle I have no mana; in it I have some.
func decide(turn *Turn) string {
	if turn.me.mana == 0 && len(turn.cards) == 3 {
		return pick(turn)
	}
	if turn.me.mana == 0 {
		return construct(turn)
	}
	if turn.me.health <= 0 {
		return "PASS" // I am dead: the referee still wants an answer
	}
	if actions := battle(turn); len(actions) > 0 {
		return strings.Join(actions, ";")
	}
	return "PASS"
}

var input = bufio.NewReader(os.Stdin)

// The next line. The referee ends a game by closing the input.
func readLine() string {
	line, err := input.ReadString('\n')
	if err != nil {
		os.Exit(0)
	}
	return strings.TrimSpace(line)
}

// The numbers in a line; a word that is not a number counts as 0.
func numbers(line string) []int {
	var found []int
	for _, word := range strings.Fields(line) {
		number, _ := strconv.Atoi(word)
		found = append(found, number)
	}
	return found
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func player(line []int, hasActions bool) Player {
	p := Player{health: line[0], mana: line[1], deck: line[2]}
	if len(line) == 5 || !hasActions {
		p.rune_ = line[3]
	}
	if hasActions {
		p.draw = line[len(line)-1]
	}
	return p
}

// Read all that the referee sends before it waits for an answer. Editions differ in what a line holds.
func readTurn() *Turn {
	me, opponent, third := numbers(readLine()), numbers(readLine()), numbers(readLine())
	hasActions := len(third) == 2 // the oldest editions do not tell what my opponent did
	turn := &Turn{me: player(me, hasActions), opponent: player(opponent, hasActions), opponentHand: third[0], lanes: 1}
	for i := 0; hasActions && i < third[1]; i++ {
		turn.opponentActions = append(turn.opponentActions, readLine())
	}
	for count := numbers(readLine())[0]; count > 0; count-- {
		line := readLine()
		n := numbers(line)
		card := &Card{number: n[0], id: n[1], location: n[2], kind: n[3], cost: n[4], attack: n[5], defense: n[6],
			abilities: strings.Fields(line)[7], myHealth: n[8], opponentHealth: n[9], draw: n[10]}
		if len(n) == 13 {
			card.area = n[11]
		}
		if len(n) > 11 {
			card.lane = n[len(n)-1]
			turn.lanes = 2
		}
		turn.cards = append(turn.cards, card)
	}
	return turn
}

func main() {
	for {
		fmt.Println(decide(readTurn()))
	}
}
