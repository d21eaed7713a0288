// A Tapdeck team: it plays all its matches at once, over TCP.
//
//     TAPDECK_PASSWORD=secret ./bot HOST PORT TEAM
//
// Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write. Your
// ideas go into the functions between the two lines of ====; nothing else has to change.

#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

enum Target { WASTED = 0, NOBODY = -1, ME = -5, OPPONENT = -6 };  // targets that are not creatures

struct Card {
    int id;
    char kind;  // C creature, H heal, D damage, T take, B buff, I deactivate
    int attack, health, max_health, cost;
    int mana;            // what a creature gives when it is tapped
    bool awake = false;  // of creatures on the board: it can block, and after blocking attack or be tapped
};

using Cards = std::vector<Card>;
using Lines = std::vector<std::string>;

// A match in which it is my turn. Nothing is hidden.
struct Match {
    int turns_left;  // this one included
    int full_health, my_health, their_health;
    int draws, burns, hand_limit;  // cards that I may draw and burn in this turn
    Cards deck;                    // the next card first
    Cards hand, their_hand;
    Cards mine, theirs;       // creatures on both sides of the board
    std::set<int> attackers;  // the ids of those of theirs that attack me now
};

// ==================================================== your ideas =====================================================

int attack_of(const Cards& creatures) {
    int total = 0;
    for (const Card& creature : creatures) total += creature.attack;
    return total;
}

// The first of the creatures with most attack; nullptr if there are none.
const Card* strongest(const Cards& creatures) {
    const Card* best = nullptr;
    for (const Card& creature : creatures)
        if (!best || creature.attack > best->attack) best = &creature;
    return best;
}

template <class Condition>
void remove_where(Cards& cards, Condition condition) {
    cards.erase(std::remove_if(cards.begin(), cards.end(), condition), cards.end());
}

// The target to play a card on.
int find_target(const Match& match, const Card& card) {
    const Card *enemy = strongest(match.theirs), *friendly = strongest(match.mine);
    switch (card.kind) {
        case 'C': return NOBODY;
        case 'T': return ME;
        case 'H': return match.my_health < match.full_health ? ME : WASTED;
        case 'B': return friendly ? friendly->id : WASTED;
        case 'I': return enemy && enemy->awake ? enemy->id : WASTED;
    }
    bool kills = enemy && enemy->health <= card.attack;
    return kills && card.attack < match.their_health ? enemy->id : OPPONENT;
}

// The commands of a whole turn. Nothing is hidden and nothing is random, so it can be planned to its end.
Lines plan(Match match) {
    Lines commands;
    auto say = [&](const std::string& name, int a, int b) {
        commands.push_back(name + " " + std::to_string(a) + " " + std::to_string(b));
    };

    // Block where the blocker survives; if all attackers together would kill me, block whatever I can.
    std::vector<Card*> attackers;
    int coming = 0;
    for (Card& card : match.theirs)
        if (match.attackers.count(card.id)) {
            attackers.push_back(&card);
            coming += card.attack;
        }
    std::stable_sort(attackers.begin(), attackers.end(), [](Card* a, Card* b) { return a->attack > b->attack; });
    for (Card* attacker : attackers) {
        Card* blocker = nullptr;
        auto dies = [&](const Card& card) { return card.health <= attacker->attack; };
        for (Card& card : match.mine) {
            if (!card.awake || (dies(card) && coming < match.my_health)) continue;
            if (!blocker || std::make_pair(dies(card), card.health) < std::make_pair(dies(*blocker), blocker->health))
                blocker = &card;
        }
        if (attacker->attack == 0 || !blocker) continue;
        say("BLOCK", attacker->id, blocker->id);
        blocker->awake = false;
        blocker->health -= attacker->attack;
        attacker->health -= blocker->attack;
        coming -= attacker->attack;
    }
    match.my_health -= coming;
    remove_where(match.mine, [](const Card& card) { return card.health <= 0; });
    remove_where(match.theirs, [](const Card& card) { return card.health <= 0; });
    for (Card& creature : match.mine) creature.awake = true;  // as soon as blocking is over

    // Draw what I may. Its cards can be played at once.
    Cards wishes = match.hand;
    for (int i = 0; i < match.draws && i < (int)match.deck.size() && (int)wishes.size() < match.hand_limit; i++) {
        commands.push_back("DRAW_CARD");
        wishes.push_back(match.deck[i]);
    }

    // Play what I can pay, creatures first. Creatures are tapped for mana as it is needed, the weakest attackers first.
    int mana = 0, reserve = 0;
    std::vector<Card*> sources;
    for (Card& card : match.mine)
        if (card.mana > 0) {
            sources.push_back(&card);
            reserve += card.mana;
        }
    std::stable_sort(sources.begin(), sources.end(), [](Card* a, Card* b) {
        return std::make_pair(a->attack, -a->mana) < std::make_pair(b->attack, -b->mana);
    });
    auto order = [](const Card& card) { return std::vector<int>{card.kind != 'C', -card.mana, -card.cost}; };
    std::stable_sort(wishes.begin(), wishes.end(), [&](const Card& a, const Card& b) { return order(a) < order(b); });
    for (const Card& card : wishes) {
        int target = find_target(match, card);
        if (target == WASTED || card.cost > mana + reserve) continue;
        while (mana < card.cost) {
            Card* source = sources.front();
            sources.erase(sources.begin());
            commands.push_back("ADD_MANA " + std::to_string(source->id));
            mana += source->mana;
            reserve -= source->mana;
            source->awake = false;
        }
        mana -= card.cost;
        say("PLAY_CARD", card.id, target);
        if (card.kind == 'D' && target == OPPONENT) match.their_health -= card.attack;
        else if (card.kind == 'D') remove_where(match.theirs, [&](const Card& other) { return other.id == target; });
    }

    // Attack with all that were not tapped, unless their answer could kill me first.
    Cards ready = match.mine;
    remove_where(ready, [](const Card& card) { return !card.awake || card.attack <= 0; });
    if (attack_of(match.theirs) < match.my_health || attack_of(ready) >= match.their_health)
        for (const Card& creature : ready) commands.push_back("ATTACK " + std::to_string(creature.id));
    return commands;
}

// ===================================================== the frame =====================================================

const std::set<std::string> ONE_LINE{"GET_TURN_INFO",    "GET_HP",          "GET_CARD_LIMITS",
                                     "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD"};
const std::set<std::string> COUNTED{"GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"};
// The turn is asked again behind everything else: if it has changed, the answers do not fit together.
const Lines QUESTIONS{"GET_HP",    "GET_CARD_LIMITS", "GET_DECK",     "GET_HANDS",
                      "GET_BOARD", "GET_ATTACKERS",   "GET_TURN_INFO"};

[[noreturn]] void fail(const std::string& message) {
    std::cerr << message << std::endl;
    std::exit(1);
}

std::vector<int> numbers(const std::string& line) {
    std::istringstream words(line);
    std::vector<int> found;
    for (int number; words >> number;) found.push_back(number);
    return found;
}

// The reply to a command: its data lines, unless it was refused.
struct Reply {
    bool ok;
    Lines lines;
};

class Server {
public:
    Server(const std::string& host, const std::string& port) {
        addrinfo hints{}, *found = nullptr;
        hints.ai_socktype = SOCK_STREAM;
        int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
        std::string why = error ? gai_strerror(error) : "";
        for (addrinfo* each = found; each && handle < 0; each = each->ai_next) {
            handle = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
            if (handle >= 0 && connect(handle, each->ai_addr, each->ai_addrlen) == 0) break;
            why = std::strerror(errno);
            if (handle >= 0) close(handle);
            handle = -1;
        }
        if (handle < 0) fail("no connection to " + host + ":" + port + ": " + why + ". Is the event running?");
        freeaddrinfo(found);
        int on = 1;
        setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    void send_lines(const Lines& lines) {
        std::string text;
        for (const std::string& line : lines) text += line + "\n";
        for (size_t sent = 0; sent < text.size();) {
            ssize_t n = write(handle, text.data() + sent, text.size() - sent);
            if (n <= 0) ended();
            sent += n;
        }
    }

    std::string line() {
        size_t end;
        while ((end = received.find('\n')) == std::string::npos) {
            char chunk[65536];
            ssize_t n = read(handle, chunk, sizeof chunk);
            if (n <= 0) ended();
            received.append(chunk, n);
        }
        std::string found = received.substr(0, end);
        received.erase(0, end + 1);
        while (!found.empty() && std::isspace((unsigned char)found.back())) found.pop_back();
        return found;
    }

    void expect(const std::string& wanted) {
        std::string said = line();
        if (said != wanted) fail("expected " + wanted + ", the server said: " + said);
    }

    // Send many commands at once, and read the reply to each.
    std::vector<Reply> ask(const Lines& commands) {
        send_lines(commands);
        std::vector<Reply> replies;
        for (const std::string& command : commands) replies.push_back(reply(command.substr(0, command.find(' '))));
        return replies;
    }

private:
    int handle = -1;
    std::string received;

    [[noreturn]] void ended() {
        std::cout << "the server ended the connection" << std::endl;  // this is also how an event ends
        std::exit(0);
    }

    Reply reply(const std::string& name) {
        std::string status = line();
        if (status.rfind("ERR", 0) == 0) {
            int code = std::atoi(status.c_str() + 3);
            if (code == 6) expect("OK");  // too many commands: an OK follows when the next turn starts
            else if (code != 913 && code != 932) std::cerr << name << ": " << status << std::endl;  // these: too late
            return {false, {}};
        }
        Lines lines;
        int more = name == "GET_MY_MATCHES" ? 2 : ONE_LINE.count(name);
        if (name == "WAIT") expect("OK");
        if (COUNTED.count(name)) {
            lines.push_back(line());
            for (int count : numbers(lines[0])) more += count;
        }
        for (; more > 0; more--) lines.push_back(line());
        return {true, lines};
    }
};

Cards read_cards(const Lines& lines, size_t first, size_t last) {
    Cards cards;
    for (size_t i = first; i < last; i++) {
        std::istringstream words(lines[i]);
        Card card;
        words >> card.id >> card.kind >> card.attack >> card.health >> card.max_health >> card.cost >> card.mana;
        int awake = 0;
        words >> awake;
        card.awake = awake == 1;
        cards.push_back(card);
    }
    return cards;
}

// The answers to the questions about a match.
Match read_match(const Reply* replies) {
    auto figures = [&](int k) { return numbers(replies[k].lines[0]); };
    const Lines &deck = replies[2].lines, &hands = replies[3].lines, &board = replies[4].lines;
    std::vector<int> hp = figures(0), limits = figures(1);
    size_t in_hand = figures(3)[0] + 1, on_board = figures(4)[0] + 1;
    Match match{figures(6)[1], hp[0], hp[1], hp[2], limits[0], limits[1], limits[2], {}, {}, {}, {}, {}, {}};
    match.deck = read_cards(deck, 1, deck.size());
    match.hand = read_cards(hands, 1, in_hand);
    match.their_hand = read_cards(hands, in_hand, hands.size());
    match.mine = read_cards(board, 1, on_board);
    match.theirs = read_cards(board, on_board, board.size());
    for (const Card& card : read_cards(replies[5].lines, 1, replies[5].lines.size())) match.attackers.insert(card.id);
    return match;
}

// Play turn after turn, in all matches at once.
void play(Server& server) {
    while (true) {
        Lines matches, asked, to_move, turns, commands;
        Reply mine = server.ask({"GET_MY_MATCHES"})[0];
        std::istringstream ids(mine.ok ? mine.lines[1] : "");
        for (std::string id; ids >> id;) matches.push_back(id);
        for (const std::string& match : matches) asked.push_back("GET_TURN_INFO " + match);
        std::vector<Reply> infos = server.ask(asked);
        asked.clear();
        for (size_t i = 0; i < matches.size(); i++) {
            if (!infos[i].ok || infos[i].lines[0].rfind("1 ", 0) != 0) continue;
            to_move.push_back(matches[i]);
            turns.push_back(infos[i].lines[0]);
            for (const std::string& question : QUESTIONS) asked.push_back(question + " " + matches[i]);
        }
        std::vector<Reply> answers = server.ask(asked);
        for (size_t i = 0; i < to_move.size(); i++) {
            const Reply *first = &answers[i * QUESTIONS.size()], *last = first + QUESTIONS.size();
            bool complete = std::all_of(first, last, [](const Reply& reply) { return reply.ok; });
            if (!complete || last[-1].lines[0] != turns[i]) continue;
            for (const std::string& command : plan(read_match(first))) {
                size_t end = std::min(command.find(' '), command.size());
                commands.push_back(command.substr(0, end) + " " + to_move[i] + command.substr(end));
            }
        }
        server.ask(commands);
        server.ask({"WAIT"});
    }
}

int main(int count, char** words) {
    const char* password = std::getenv("TAPDECK_PASSWORD");
    if (count != 4 || !password) fail("usage: TAPDECK_PASSWORD=... ./bot HOST PORT TEAM");
    std::signal(SIGPIPE, SIG_IGN);
    Server server(words[1], words[2]);
    server.expect("LOGIN");
    server.send_lines({words[3]});
    server.expect("PASS");
    server.send_lines({password});
    server.expect("OK");
    play(server);
}
