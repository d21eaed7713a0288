// A bot for Legends of Code and Magic that plays every edition.
//
// It reads what the referee sends, decides, and answers with one line. Your ideas go into the functions between the two
// lines of ====; nothing else has to change. Never print anything but answers: debug with System.err.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

class Bot {
    static final int CREATURE = 0, GREEN = 1, RED = 2, BLUE = 3; // types of cards; all but creatures are items
    static final int HAND = 0, MINE = 1, THEIRS = -1; // in my hand, on my board, on my opponent's board
    static final int TARGET = 0, LANE1 = 1, LANE2 = 2; // what a card works on: one creature, all of its lane, both lanes
    static final int FACE = -1; // the target that means my opponent, not a creature

    static class Player {
        int health;
        int mana; // at the start of the turn; 0 before the battle
        int deck; // cards left to draw
        int rune; // the next health at which a card is drawn; 0 where there are no runes
        int draw; // cards drawn this turn (my opponent: next turn); 0 in editions that do not say
    }

    static class Card {
        int number; // which card it is
        int id; // which copy of it: actions name cards by their ids
        int location, type, cost, attack, defense;
        String abilities; // Breakthrough, Charge, Drain, Guard, Lethal, Ward: "BCDGLW", with - for what is missing
        int myHealth; // what playing it does to my health,
        int opponentHealth; // to my opponent's,
        int draw; // and how many more cards I draw next turn
        int area = TARGET; // TARGET in editions without areas
        int lane = 0; // 0 or 1 on the board, -1 elsewhere

        boolean has(char ability) {
            return abilities.indexOf(ability) >= 0;
        }
    }

    // Everything the referee tells me before it waits for an answer.
    static class Turn {
        Player me, opponent;
        int opponentHand; // how many cards my opponent holds
        List<String> opponentActions = new ArrayList<>(); // what they did in their last turn, as "cardNumber ACTION"
        List<Card> cards = new ArrayList<>();
        int lanes = 1; // 1 or 2

        List<Card> at(int location) {
            List<Card> found = new ArrayList<>(cards);
            found.removeIf(card -> card.location != location);
            return found;
        }
    }

    // ================================================== your ideas ===================================================

    // How much I want a card in my deck.
    static double value(Card card) {
        double worth = Math.abs(card.attack) + Math.abs(card.defense) + card.abilities.replace("-", "").length();
        worth += card.myHealth / 2.0 - card.opponentHealth / 2.0 + 2 * card.draw;
        if (card.area != TARGET) worth *= 1.5;
        return worth - 2.5 * card.cost - (card.type == CREATURE ? 0 : 3);
    }

    static List<Card> bestFirst(List<Card> cards) {
        List<Card> sorted = new ArrayList<>(cards);
        sorted.sort(Comparator.comparingDouble(card -> -value(card)));
        return sorted;
    }

    // Draft: three cards are offered thirty times, and I take one.
    static String pick(Turn turn) {
        return "PICK " + turn.cards.indexOf(bestFirst(turn.cards).get(0));
    }

    // Constructed (1.5): choose thirty of all cards at once, at most two of each.
    static String construct(Turn turn) {
        List<String> choices = new ArrayList<>();
        for (Card card : bestFirst(turn.cards).subList(0, 15)) {
            choices.add("CHOOSE " + card.number + ";CHOOSE " + card.number);
        }
        return String.join(";", choices);
    }

    // One turn of the battle, as a list of actions. They are carried out in this order.
    static List<String> battle(Turn turn) {
        List<String> actions = new ArrayList<>();
        int mana = turn.me.mana;
        List<Card> hand = turn.at(HAND), mine = turn.at(MINE), theirs = turn.at(THEIRS);
        List<Card> attackers = new ArrayList<>(mine);
        hand.sort(Comparator.comparingInt(card -> -card.cost));

        // Summon the dearest creatures that I can pay, each into the lane where I have fewer.
        int[] room = new int[turn.lanes];
        Arrays.fill(room, 6 / turn.lanes);
        for (Card card : mine) room[card.lane]--;
        for (Card card : hand) {
            int lane = turn.lanes == 2 && room[1] > room[0] ? 1 : 0;
            if (card.type != CREATURE || card.cost > mana || room[lane] <= 0) continue;
            actions.add("SUMMON " + card.id + (turn.lanes == 2 ? " " + lane : ""));
            mana -= card.cost;
            room[lane]--;
            if (card.area != TARGET) room[card.area == LANE1 ? lane : 1 - lane]--; // a second one appears, if it has room
            card.lane = lane;
            mine.add(card);
            if (card.has('C')) attackers.add(card); // all others have to wait a turn
        }

        // Attack: creatures with Guard have to be dealt with first, then my opponent.
        for (Card card : attackers) {
            if (card.attack == 0) continue;
            Card guard = null;
            for (Card enemy : theirs) {
                boolean inTheWay = enemy.lane == card.lane && enemy.has('G');
                if (inTheWay && (guard == null || enemy.defense < guard.defense)) guard = enemy;
            }
            actions.add("ATTACK " + card.id + " " + (guard == null ? FACE : guard.id));
            if (guard == null) continue;
            strike(card, guard);
            strike(guard, card);
            theirs.removeIf(enemy -> enemy.defense <= 0);
        }
        mine.removeIf(card -> card.defense <= 0);

        // Use items with the mana that is left: on the strongest creature, or (blue) on my opponent.
        for (Card card : hand) {
            if (card.type == CREATURE || card.cost > mana) continue;
            Card strongest = null;
            for (Card creature : card.type == GREEN ? mine : theirs) {
                if (strongest == null || creature.attack > strongest.attack) strongest = creature;
            }
            if (card.type != BLUE && strongest == null) continue;
            actions.add("USE " + card.id + " " + (card.type == BLUE ? FACE : strongest.id));
            mana -= card.cost;
            if (card.type == RED) theirs.clear(); // whoever it hits may be gone: one red item a turn is enough
        }
        return actions;
    }

    // What the blow of one creature does to another. In a fight both strike.
    static void strike(Card attacker, Card defender) {
        if (attacker.attack <= 0) return;
        if (defender.has('W')) defender.abilities = defender.abilities.replace('W', '-');
        else if (attacker.has('L')) defender.defense = 0;
        else defender.defense -= attacker.attack;
    }

    // =================================================== the frame ===================================================

    // The line to answer. Before the battle I have no mana; in it I have some.
    static String decide(Turn turn) {
        if (turn.me.mana == 0) return turn.cards.size() == 3 ? pick(turn) : construct(turn);
        if (turn.me.health <= 0) return "PASS"; // I am dead: the referee still wants an answer
        List<String> actions = battle(turn);
        return actions.isEmpty() ? "PASS" : String.join(";", actions);
    }

    static final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));

    // The next line. The referee ends a game by closing the input.
    static String readLine() throws IOException {
        String line = input.readLine();
        if (line == null) System.exit(0);
        return line.trim();
    }

    static int[] readNumbers() throws IOException {
        return Arrays.stream(readLine().split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    static Player player(int[] line, boolean hasActions) {
        Player player = new Player();
        player.health = line[0];
        player.mana = line[1];
        player.deck = line[2];
        if (line.length == 5 || !hasActions) player.rune = line[3];
        if (hasActions) player.draw = line[line.length - 1];
        return player;
    }

    static Card card(String[] words) {
        int[] n = Arrays.stream(words).mapToInt(word -> word.matches("[+-]?[0-9]+") ? Integer.parseInt(word) : 0).toArray();
        Card card = new Card();
        card.number = n[0];
        card.id = n[1];
        card.location = n[2];
        card.type = n[3];
        card.cost = n[4];
        card.attack = n[5];
        card.defense = n[6];
        card.abilities = words[7];
        card.myHealth = n[8];
        card.opponentHealth = n[9];
        card.draw = n[10];
        if (words.length == 13) card.area = n[11];
        if (words.length > 11) card.lane = n[words.length - 1];
        return card;
    }

    // Read all that the referee sends before it waits for an answer. Editions differ in what a line holds.
    static Turn readTurn() throws IOException {
        Turn turn = new Turn();
        int[] me = readNumbers(), opponent = readNumbers(), third = readNumbers();
        boolean hasActions = third.length == 2; // the oldest editions do not tell what my opponent did
        turn.me = player(me, hasActions);
        turn.opponent = player(opponent, hasActions);
        turn.opponentHand = third[0];
        for (int i = hasActions ? third[1] : 0; i > 0; i--) turn.opponentActions.add(readLine());
        for (int i = readNumbers()[0]; i > 0; i--) {
            String[] words = readLine().split(" ");
            if (words.length > 11) turn.lanes = 2;
            turn.cards.add(card(words));
        }
        return turn;
    }

    public static void main(String[] args) throws IOException {
        while (true) System.out.println(decide(readTurn()));
    }
}
