// A Tapdeck team: it plays all its matches at once, over TCP, with nothing but Java's standard library.
//
//     TAPDECK_PASSWORD=secret java Bot HOST PORT TEAM
//
// Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write. Your
// ideas go into the functions between the two lines of ====; nothing else has to change.

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

class Bot {
    static final int NOBODY = -1, ME = -5, OPPONENT = -6; // targets that are not creatures
    static final int WASTED = 0; // no target at all

    static class Card {
        int id;
        String kind; // C creature, H heal, D damage, T take, B buff, I deactivate
        int attack, health, maxHealth, cost;
        int mana; // what a creature gives when it is tapped
        boolean awake; // of creatures on the board: it can block, and after blocking attack or be tapped
    }

    // A match in which it is my turn. Nothing is hidden.
    static class Match {
        int turnsLeft; // this one included
        int fullHealth, myHealth, theirHealth;
        int draws, burns, handLimit; // cards that I may draw and burn in this turn
        List<Card> deck; // the next card first
        List<Card> hand, theirHand;
        List<Card> mine, theirs; // creatures on both sides of the board
        List<Card> attackers; // those of theirs that attack me now
    }

    // ================================================== your ideas ===================================================

    // The commands of a whole turn. Nothing is hidden and nothing is random, so it can be planned to its end.
    static List<String> plan(Match match) {
        List<String> commands = new ArrayList<>();

        // Block where the blocker survives; if all attackers together would kill me, block whatever I can.
        int coming = attackOf(match.attackers);
        match.attackers.sort(Comparator.comparingInt(card -> -card.attack));
        for (Card attacker : match.attackers) {
            List<Card> free = new ArrayList<>();
            for (Card card : match.mine) {
                if (card.awake && (card.health > attacker.attack || coming >= match.myHealth)) free.add(card);
            }
            if (attacker.attack == 0 || free.isEmpty()) continue;
            Comparator<Card> dyingLast = Comparator.comparing(card -> card.health <= attacker.attack);
            free.sort(dyingLast.thenComparing(card -> card.health));
            Card blocker = free.get(0);
            commands.add("BLOCK " + attacker.id + " " + blocker.id);
            blocker.awake = false;
            blocker.health -= attacker.attack;
            attacker.health -= blocker.attack;
            coming -= attacker.attack;
        }
        match.myHealth -= coming;
        match.mine.removeIf(creature -> creature.health <= 0);
        match.theirs.removeIf(creature -> creature.health <= 0);
        for (Card creature : match.mine) creature.awake = true; // as soon as blocking is over

        // Draw what I may. Its cards can be played at once.
        List<Card> wishes = new ArrayList<>(match.hand);
        for (int i = 0; i < match.draws && i < match.deck.size() && wishes.size() < match.handLimit; i++) {
            commands.add("DRAW_CARD");
            wishes.add(match.deck.get(i));
        }

        // Play what I can pay, creatures first. Creatures are tapped for mana as it is needed, the weakest first.
        int mana = 0;
        List<Card> sources = new ArrayList<>(match.mine);
        sources.removeIf(card -> card.mana <= 0);
        Comparator<Card> byAttack = Comparator.comparing(card -> card.attack);
        sources.sort(byAttack.thenComparing(card -> -card.mana));
        Comparator<Card> creaturesFirst = Comparator.comparing(card -> !card.kind.equals("C"));
        wishes.sort(creaturesFirst.thenComparing(card -> -card.mana).thenComparing(card -> -card.cost));
        for (Card card : wishes) {
            int target = findTarget(match, card);
            int reserve = sources.stream().mapToInt(source -> source.mana).sum();
            if (target == WASTED || card.cost > mana + reserve) continue;
            while (mana < card.cost) {
                Card source = sources.remove(0);
                commands.add("ADD_MANA " + source.id);
                mana += source.mana;
                source.awake = false;
            }
            mana -= card.cost;
            commands.add("PLAY_CARD " + card.id + " " + target);
            if (card.kind.equals("D") && target == OPPONENT) match.theirHealth -= card.attack;
            else if (card.kind.equals("D")) match.theirs.removeIf(creature -> creature.id == target);
        }

        // Attack with all that were not tapped, unless their answer could kill me first.
        List<Card> ready = new ArrayList<>(match.mine);
        ready.removeIf(creature -> !creature.awake || creature.attack <= 0);
        if (attackOf(match.theirs) < match.myHealth || attackOf(ready) >= match.theirHealth) {
            for (Card creature : ready) commands.add("ATTACK " + creature.id);
        }
        return commands;
    }

    // The target to play a card on.
    static int findTarget(Match match, Card card) {
        Card enemy = strongest(match.theirs), friend = strongest(match.mine);
        switch (card.kind) {
            case "C": return NOBODY;
            case "T": return ME;
            case "H": return match.myHealth < match.fullHealth ? ME : WASTED;
            case "B": return friend != null ? friend.id : WASTED;
            case "I": return enemy != null && enemy.awake ? enemy.id : WASTED;
            default:
                boolean kills = enemy != null && enemy.health <= card.attack;
                return kills && card.attack < match.theirHealth ? enemy.id : OPPONENT;
        }
    }

    static Card strongest(List<Card> creatures) {
        Card best = null;
        for (Card creature : creatures) if (best == null || creature.attack > best.attack) best = creature;
        return best;
    }

    static int attackOf(List<Card> creatures) {
        return creatures.stream().mapToInt(creature -> creature.attack).sum();
    }

    // =================================================== the frame ===================================================

    static final Set<String> ONE_LINE = Set.of(
            "GET_TURN_INFO", "GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD");
    static final Set<String> COUNTED = Set.of("GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS");
    // The turn is asked again behind everything else: if it has changed, the answers do not fit together.
    static final List<String> QUESTIONS = List.of(
            "GET_HP", "GET_CARD_LIMITS", "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS", "GET_TURN_INFO");

    static class Server {
        final OutputStream out;
        final BufferedReader in;

        Server(String host, int port) throws IOException {
            Socket socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        void send(List<String> lines) throws IOException {
            StringBuilder text = new StringBuilder();
            for (String line : lines) text.append(line).append('\n');
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        String line() throws IOException {
            String line = in.readLine();
            if (line == null) throw new EOFException("the server ended the connection");
            return line.trim();
        }

        void expect(String wanted) throws IOException {
            String said = line();
            if (!said.equals(wanted)) fail("expected " + wanted + ", the server said: " + said);
        }

        // Send many commands at once. Returns the data lines of each reply; null where a command was refused.
        List<List<String>> ask(List<String> commands) throws IOException {
            send(commands);
            List<List<String>> replies = new ArrayList<>();
            for (String command : commands) replies.add(reply(command.split(" ")[0]));
            return replies;
        }

        List<String> reply(String name) throws IOException {
            String status = line();
            if (status.startsWith("ERR")) {
                String code = status.split(" ")[1];
                if (code.equals("6")) expect("OK"); // too many commands: an OK follows when the next turn starts
                else if (!code.equals("913") && !code.equals("932")) System.err.println(name + ": " + status);
                return null; // 913 and 932 only say that it came too late
            }
            List<String> lines = new ArrayList<>();
            int more = name.equals("GET_MY_MATCHES") ? 2 : ONE_LINE.contains(name) ? 1 : 0;
            if (name.equals("WAIT")) expect("OK");
            if (COUNTED.contains(name)) {
                lines.add(line());
                more = Arrays.stream(numbers(lines.get(0))).sum();
            }
            for (; more > 0; more--) lines.add(line());
            return lines;
        }
    }

    static int[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    static List<Card> readCards(List<String> lines) {
        List<Card> cards = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            Card card = new Card();
            card.id = Integer.parseInt(words[0]);
            card.kind = words[1];
            card.attack = Integer.parseInt(words[2]);
            card.health = Integer.parseInt(words[3]);
            card.maxHealth = Integer.parseInt(words[4]);
            card.cost = Integer.parseInt(words[5]);
            card.mana = Integer.parseInt(words[6]);
            card.awake = words.length > 7 && words[7].equals("1");
            cards.add(card);
        }
        return cards;
    }

    // The answers to the questions about a match.
    static Match readMatch(List<List<String>> replies) {
        int[] hp = numbers(replies.get(0).get(0)), limits = numbers(replies.get(1).get(0));
        List<String> deck = replies.get(2), hands = replies.get(3), board = replies.get(4), attackers = replies.get(5);
        int inHand = numbers(hands.get(0))[0] + 1, onBoard = numbers(board.get(0))[0] + 1;
        Match match = new Match();
        match.turnsLeft = numbers(replies.get(6).get(0))[1];
        match.fullHealth = hp[0];
        match.myHealth = hp[1];
        match.theirHealth = hp[2];
        match.draws = limits[0];
        match.burns = limits[1];
        match.handLimit = limits[2];
        match.deck = readCards(deck.subList(1, deck.size()));
        match.hand = readCards(hands.subList(1, inHand));
        match.theirHand = readCards(hands.subList(inHand, hands.size()));
        match.mine = readCards(board.subList(1, onBoard));
        match.theirs = readCards(board.subList(onBoard, board.size()));
        Set<Integer> attacking = new HashSet<>();
        for (Card card : readCards(attackers.subList(1, attackers.size()))) attacking.add(card.id);
        match.attackers = match.theirs.stream().filter(c -> attacking.contains(c.id)).collect(Collectors.toList());
        return match;
    }

    // Play turn after turn, in all matches at once.
    static void play(Server server) throws IOException {
        while (true) {
            List<String> reply = server.ask(List.of("GET_MY_MATCHES")).get(0);
            List<String> matches = new ArrayList<>(List.of(reply == null ? new String[0] : reply.get(1).split(" ")));
            matches.removeIf(String::isEmpty);
            List<List<String>> infos = server.ask(matches.stream().map(m -> "GET_TURN_INFO " + m).collect(Collectors.toList()));
            List<String> asked = new ArrayList<>(), toMove = new ArrayList<>(), turns = new ArrayList<>();
            for (int i = 0; i < matches.size(); i++) {
                if (infos.get(i) == null || !infos.get(i).get(0).startsWith("1 ")) continue;
                toMove.add(matches.get(i));
                turns.add(infos.get(i).get(0));
                for (String question : QUESTIONS) asked.add(question + " " + matches.get(i));
            }
            List<List<String>> answers = server.ask(asked);
            List<String> commands = new ArrayList<>();
            for (int i = 0; i < toMove.size(); i++) {
                List<List<String>> seen = answers.subList(i * QUESTIONS.size(), (i + 1) * QUESTIONS.size());
                if (seen.contains(null) || !seen.get(seen.size() - 1).get(0).equals(turns.get(i))) continue;
                for (String command : plan(readMatch(seen))) {
                    commands.add(command.replaceFirst("^\\w+", "$0 " + toMove.get(i)));
                }
            }
            server.ask(commands);
            server.ask(List.of("WAIT"));
        }
    }

    static void fail(String message) {
        System.err.println(message);
        System.exit(1);
    }

    public static void main(String[] words) {
        String password = System.getenv("TAPDECK_PASSWORD");
        if (words.length != 3 || password == null) fail("usage: TAPDECK_PASSWORD=... java Bot HOST PORT TEAM");
        Server server = null;
        try {
            server = new Server(words[0], Integer.parseInt(words[1]));
            server.expect("LOGIN");
            server.send(List.of(words[2]));
            server.expect("PASS");
            server.send(List.of(password));
            server.expect("OK");
        } catch (IOException | IllegalArgumentException error) {
            fail("no connection to " + words[0] + ":" + words[1] + ": " + error.getMessage() + ". Is the event running?");
        }
        try {
            play(server);
        } catch (IOException error) {
            System.out.println(error.getMessage()); // this is also how an event ends
        }
    }
}
