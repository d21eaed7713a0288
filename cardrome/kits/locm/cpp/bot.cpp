// A bot for Legends of Code and Magic that plays every edition.
//
// It reads what the referee sends, decides, and answers with one line. Your ideas go into the functions between the two
// lines of ====; nothing else has to change. Never print anything but answers: debug with std::cerr.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

enum Type { CREATURE, GREEN, RED, BLUE };      // types of cards; all but creatures are items
enum Location { THEIRS = -1, HAND, MINE };     // on my opponent's board, in my hand, on my board
enum Area { TARGET, LANE1, LANE2 };            // what a card works on: one creature, all of its lane, both lanes
const int FACE = -1;                           // the target that means my opponent, not a creature

struct Player {
    int health;
    int mana;      // at the start of the turn; 0 before the battle
    int deck;      // cards left to draw
    int rune = 0;  // the next health at which a card is drawn; 0 where there are no runes
    int draw = 0;  // cards drawn this turn (my opponent: next turn); 0 in editions that do not say
};

struct Card {
    int number;  // which card it is
    int id;      // which copy of it: actions name cards by their ids
    int location, type, cost, attack, defense;
    std::string abilities;  // Breakthrough, Charge, Drain, Guard, Lethal, Ward: "BCDGLW", with - for what is missing
    int my_health;          // what playing it does to my health,
    int opponent_health;    // to my opponent's,
    int draw;               // and how many more cards I draw next turn
    int area = TARGET;      // TARGET in editions without areas
    int lane = 0;           // 0 or 1 on the board, -1 elsewhere

    bool has(char ability) const { return abilities.find(ability) != std::string::npos; }
};

using Cards = std::vector<Card>;

// Everything the referee tells me before it waits for an answer.
struct Turn {
    Player me, opponent;
    int opponent_hand;                          // how many cards my opponent holds
    std::vector<std::string> opponent_actions;  // what they did in their last turn, as "cardNumber ACTION"
    Cards cards;
    int lanes = 1;  // 1 or 2

    Cards at(int location) const {
        Cards found;
        for (const Card& card : cards)
            if (card.location == location) found.push_back(card);
        return found;
    }
};

// ==================================================== your ideas =====================================================

// How much I want a card in my deck.
double value(const Card& card) {
    double worth = std::abs(card.attack) + std::abs(card.defense);
    worth += 6 - std::count(card.abilities.begin(), card.abilities.end(), '-');
    worth += card.my_health / 2.0 - card.opponent_health / 2.0 + 2 * card.draw;
    if (card.area != TARGET) worth *= 1.5;
    return worth - 2.5 * card.cost - (card.type == CREATURE ? 0 : 3);
}

bool better(const Card& a, const Card& b) { return value(a) > value(b); }

// Draft: three cards are offered thirty times, and I take one.
std::string pick(const Turn& turn) {
    auto best = std::min_element(turn.cards.begin(), turn.cards.end(), better);
    return "PICK " + std::to_string(best - turn.cards.begin());
}

// Constructed (1.5): choose thirty of all cards at once, at most two of each.
std::string construct(const Turn& turn) {
    Cards best = turn.cards;
    std::stable_sort(best.begin(), best.end(), better);
    std::string line;
    for (int i = 0; i < 30; i++) line += (i ? ";CHOOSE " : "CHOOSE ") + std::to_string(best[i / 2].number);
    return line;
}

// What the blow of one creature does to another. In a fight both strike.
void strike(const Card& attacker, Card& defender) {
    if (attacker.attack <= 0) return;
    size_t ward = defender.abilities.find('W');
    if (ward != std::string::npos) defender.abilities[ward] = '-';
    else if (attacker.has('L')) defender.defense = 0;
    else defender.defense -= attacker.attack;
}

void remove_dead(Cards& creatures) {
    auto dead = [](const Card& card) { return card.defense <= 0; };
    creatures.erase(std::remove_if(creatures.begin(), creatures.end(), dead), creatures.end());
}

// One turn of the battle, as a list of actions. They are carried out in this order.
std::vector<std::string> battle(const Turn& turn) {
    std::vector<std::string> actions;
    int mana = turn.me.mana;
    Cards hand = turn.at(HAND), mine = turn.at(MINE), theirs = turn.at(THEIRS);
    std::stable_sort(hand.begin(), hand.end(), [](const Card& a, const Card& b) { return a.cost > b.cost; });

    // Summon the dearest creatures that I can pay, each into the lane where I have fewer.
    std::vector<int> room(turn.lanes, 6 / turn.lanes);
    for (const Card& card : mine) room[card.lane]--;
    size_t rested = mine.size();  // those behind them were summoned in this turn
    for (Card card : hand) {
        int lane = std::max_element(room.begin(), room.end()) - room.begin();
        if (card.type != CREATURE || card.cost > mana || room[lane] <= 0) continue;
        actions.push_back("SUMMON " + std::to_string(card.id) + (turn.lanes == 2 ? " " + std::to_string(lane) : ""));
        mana -= card.cost;
        room[lane]--;
        if (card.area != TARGET) room[card.area == LANE1 ? lane : 1 - lane]--;  // a second one appears, if it has room
        card.lane = lane;
        mine.push_back(card);
    }

    // Attack: creatures with Guard have to be dealt with first, then my opponent.
    for (size_t i = 0; i < mine.size(); i++) {
        Card& card = mine[i];
        if (card.attack == 0 || (i >= rested && !card.has('C'))) continue;  // only Charge need not wait a turn
        Card* guard = nullptr;
        for (Card& enemy : theirs)
            if (enemy.lane == card.lane && enemy.has('G') && (!guard || enemy.defense < guard->defense)) guard = &enemy;
        actions.push_back("ATTACK " + std::to_string(card.id) + " " + std::to_string(guard ? guard->id : FACE));
        if (!guard) continue;
        strike(card, *guard);
        strike(*guard, card);
        remove_dead(theirs);
    }
    remove_dead(mine);

    // Use items with the mana that is left: on the strongest creature, or (blue) on my opponent.
    auto weaker = [](const Card& a, const Card& b) { return a.attack < b.attack; };
    for (const Card& card : hand) {
        if (card.type == CREATURE || card.cost > mana) continue;
        const Cards& targets = card.type == GREEN ? mine : theirs;
        if (card.type != BLUE && targets.empty()) continue;
        int target = card.type == BLUE ? FACE : std::max_element(targets.begin(), targets.end(), weaker)->id;
        actions.push_back("USE " + std::to_string(card.id) + " " + std::to_string(target));
        mana -= card.cost;
        if (card.type == RED) theirs.clear();  // whoever it hits may be gone: one red item a turn is enough
    }
    return actions;
}

// ===================================================== the frame =====================================================

// The line to answer. Before the battle I have no mana; in it I have some.
std::string decide(const Turn& turn) {
    if (turn.me.mana == 0) return turn.cards.size() == 3 ? pick(turn) : construct(turn);
    if (turn.me.health <= 0) return "PASS";  // I am dead: the referee still wants an answer
    std::string line;
    for (const std::string& action : battle(turn)) line += (line.empty() ? "" : ";") + action;
    return line.empty() ? "PASS" : line;
}

// The next line. The referee ends a game by closing the input.
std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line)) std::exit(0);
    return line;
}

std::vector<std::string> read_words() {
    std::istringstream line(read_line());
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word);
    return words;
}

Player read_player(const std::vector<std::string>& words, bool has_actions) {
    Player player{std::stoi(words[0]), std::stoi(words[1]), std::stoi(words[2])};
    if (words.size() == 5 || !has_actions) player.rune = std::stoi(words[3]);
    if (has_actions) player.draw = std::stoi(words.back());
    return player;
}

// Read all that the referee sends before it waits for an answer. Editions differ in what a line holds.
Turn read_turn() {
    Turn turn;
    std::vector<std::string> me = read_words(), opponent = read_words(), third = read_words();
    bool has_actions = third.size() == 2;  // the oldest editions do not tell what my opponent did
    turn.me = read_player(me, has_actions);
    turn.opponent = read_player(opponent, has_actions);
    turn.opponent_hand = std::stoi(third[0]);
    for (int i = has_actions ? std::stoi(third[1]) : 0; i > 0; i--) turn.opponent_actions.push_back(read_line());
    for (int i = std::stoi(read_line()); i > 0; i--) {
        std::vector<std::string> words = read_words();
        auto number = [&](int k) { return std::stoi(words[k]); };
        Card card{number(0), number(1), number(2), number(3), number(4), number(5),
                  number(6), words[7],  number(8), number(9), number(10)};
        if (words.size() == 13) card.area = number(11);
        if (words.size() > 11) {
            card.lane = std::stoi(words.back());
            turn.lanes = 2;
        }
        turn.cards.push_back(card);
    }
    return turn;
}

int main() {
    while (true) std::cout << decide(read_turn()) << std::endl;
}
