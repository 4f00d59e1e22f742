package gantry.broker.register;

import gantry.base.Clock;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.broker.topic.Catalogue;
import java.util.List;

/// Keeps every nameserver told, each by itself.
///
/// For:   registering with any number of nameservers in parallel.
/// Owner: its sequencer.
/// Never: makes the broker wait for a nameserver.
public final class Registrations {
    private final Sequencer sequencer;
    private final Clock clock;
    private final List<NameserverContact> contacts;
    private final Published registered = new Published(0);

    public Registrations(
            RegistrationConfig config,
            Catalogue catalogue,
            Network network,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.clock = clock;
        this.sequencer = new Sequencer("registration", offload, faults);
        RegistrationFrames frames = new RegistrationFrames(config, catalogue, clock);
        this.contacts = config.nameservers().stream()
                .map(address -> new NameserverContact(address, config, frames, network, sequencer, notices))
                .toList();
    }

    public void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            contacts.forEach(contact -> contact.tick(now));
            registered.reset(
                    contacts.stream().filter(NameserverContact::isRegistered).count());
        });
    }

    /// How many nameservers know this broker, as of the last tick.
    public long registered() {
        return registered.read();
    }

    public int nameservers() {
        return contacts.size();
    }

    public void withdraw() {
        sequencer.submitAlways(() -> contacts.forEach(NameserverContact::withdraw));
    }
}
