package gantry.wire.json;

/// Some JSON text is not what it should be.
///
/// For:   telling the sender in one sentence what was expected and where.
/// Owner: none (immutable).
/// Never: carries a stack trace, because strangers could make us fill one for every frame.
public final class JsonFault extends Exception {
    private static final long serialVersionUID = 1L;

    /// The position of a fault that was found in the tree, after reading.
    public static final int NOWHERE = -1;

    /// Longest piece of the sender's text that a sentence quotes.
    private static final int QUOTED_CHARS = 60;

    private final int position;

    JsonFault(String sentence, int position) {
        super(position == NOWHERE ? sentence : sentence + ", at byte " + position, null, false, false);
        this.position = position;
    }

    /// A fault in what the text says, not in how it is written.
    public static JsonFault of(String sentence) {
        return new JsonFault(sentence, NOWHERE);
    }

    /// Shortens text of a stranger for a sentence.
    public static String quote(String text) {
        return '"' + (text.length() <= QUOTED_CHARS ? text : text.substring(0, QUOTED_CHARS) + "…") + '"';
    }

    /// The byte where reading stopped, or `NOWHERE`.
    public int position() {
        return position;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
