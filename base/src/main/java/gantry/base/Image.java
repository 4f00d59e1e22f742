package gantry.base;

/// The last published immutable value of a piece of owned state.
///
/// For:   reading another owner's state without a lock.
/// Owner: whoever constructed it is the only one to call `publish`.
/// Never: mutable values.
public final class Image<T> {
    private volatile T value;

    public Image(T first) {
        this.value = first;
    }

    public T read() {
        return value;
    }

    public void publish(T next) {
        this.value = next;
    }
}
