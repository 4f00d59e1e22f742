package gantry.store;

/// A file of the store, by its path below the store's root.
///
/// For:   naming files without knowing where the root is.
/// Owner: none (immutable).
/// Never: leaves the root: no empty, `.` or `..` part, no leading slash.
public record FileId(String path) {
    public FileId {
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw new IllegalArgumentException("\"" + path + "\" is not a path below the store's root");
            }
        }
    }

    /// The folder of this file, empty for the root itself.
    public String folder() {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return path;
    }
}
