package gantry.server.node;

import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.broker.BrokerConfig;
import gantry.broker.query.Settings;
import gantry.server.config.BrokerSettings;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.store.RetentionConfig;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A broker's settings while it runs: what its file and flags say, and what was changed since.
///
/// For:   requests that read and change settings.
/// Owner: its sequencer.
/// Never: writes the file; a change lasts until the broker ends, and the log says so.
final class RunningSettings implements Settings {
    private final Sequencer sequencer;
    private final BrokerConfig config;
    private final Runnable retain;
    private final Notices notices;
    private final Image<Values> values;
    private final Image<RetentionConfig> limits;

    /// @param retain puts `limits` in force, once they have changed
    RunningSettings(Ground ground, Values values, BrokerConfig config, Runnable retain) {
        this.sequencer = new Sequencer("settings", ground.offload(), ground.faults());
        this.config = config;
        this.retain = retain;
        this.notices = ground.notices();
        this.values = new Image<>(values);
        this.limits = new Image<>(config.store().retention());
    }

    @Override
    public SortedMap<String, String> inForce() {
        return BrokerSettings.shown(values.read(), config);
    }

    /// How long messages are kept, and how full the disk may become, now.
    RetentionConfig limits() {
        return limits.read();
    }

    @Override
    public void change(Map<String, String> changes, String who, Consumer<@Nullable String> told) {
        sequencer.submitAlways(() -> {
            String trouble = change(changes, who);
            sequencer.after(() -> told.accept(trouble));
        });
    }

    /// @return why nothing was changed; null when everything was
    private @Nullable String change(Map<String, String> changes, String who) {
        try {
            Values next = BrokerSettings.changed(values.read(), changes, "by request");
            limits.publish(BrokerSettings.retention(next));
            values.publish(next);
            retain.run();
        } catch (StartRefused e) {
            return e.sentence();
        }
        notices.info("Settings changed by request of " + who + ": " + changes
                + ". This lasts until the broker ends; to keep it, set it in the broker's file too.");
        return null;
    }
}
