package gantry.server.config;

import gantry.base.Endpoint;
import java.nio.file.Path;

/// Where one part of a process listens, and which folders it uses.
///
/// For:   what `server` itself needs of the configuration: the component "ServerConfig" in the table of keys.
/// Owner: none (immutable).
///
/// @param data the folder of everything the part writes; the lock lies there
/// @param store the broker's store, or the nameserver's file
/// @param commitLog the broker's commit log, maybe on another disk; unused in a nameserver
/// @param logs the folder of the process's own logs
/// @param key the flag or key that names the folder `data`, for sentences
public record Place(Endpoint listen, Path data, Path store, Path commitLog, Path logs, String key) {
    private static final Path DATA = Path.of("data");

    public static Place ofNameserver(Values values) throws StartRefused {
        Path data = values.find(Keys.NAMESERVER_DATA_DIR).orElse(DATA);
        return new Place(
                new Endpoint(values.of(Keys.NAMESERVER_BIND_ADDRESS), values.of(Keys.NAMESERVER_PORT)),
                data,
                values.find(Keys.KV_PATH).orElse(data.resolve("nameserver").resolve("kvConfig.json")),
                data,
                values.find(Keys.NAMESERVER_LOG_PATH).orElse(data.resolve("logs")),
                "--data-dir or dataDir");
    }

    public static Place ofBroker(Values values) throws StartRefused {
        boolean onlyStore = values.find(Keys.DATA_DIR).isEmpty()
                && values.find(Keys.STORE_PATH).isPresent();
        Path data = values.find(Keys.DATA_DIR).orElse(DATA);
        Path store = values.find(Keys.STORE_PATH).orElse(data.resolve("store"));
        if (onlyStore) {
            // A file of Apache's names the store alone; nothing of that broker should appear anywhere else.
            data = store;
        }
        String host = values.find(Keys.BIND_ADDRESS)
                .orElse(values.find(Keys.BROKER_IP).orElse("127.0.0.1"));
        return new Place(
                new Endpoint(host, values.of(Keys.LISTEN_PORT)),
                data,
                store,
                values.find(Keys.COMMIT_LOG_PATH).orElse(store.resolve("commitlog")),
                values.find(Keys.LOG_PATH).orElse(data.resolve("logs")),
                onlyStore ? "storePathRootDir" : "--data-dir or dataDir");
    }
}
