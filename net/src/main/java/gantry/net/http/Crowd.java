package gantry.net.http;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/// The connections of one HTTP port that have not got their answer, oldest first.
///
/// For:   bounding them so that whoever comes last is heard: strangers who stay cannot shut out the one who measures.
/// Owner: the port's event loop.
/// Never: more than `HttpPort.MOST_CONNECTIONS`.
final class Crowd {
    private final Set<Channel> open = new LinkedHashSet<>();
    private final Consumer<Turned> counted;

    Crowd(Consumer<Turned> counted) {
        this.counted = counted;
    }

    void enter(Channel channel) {
        if (open.size() >= HttpPort.MOST_CONNECTIONS) {
            Iterator<Channel> oldest = open.iterator();
            Channel leaves = oldest.next();
            oldest.remove();
            count(Turned.CROWD);
            leaves.close();
        }
        open.add(channel);
    }

    void leave(Channel channel) {
        open.remove(channel);
    }

    void count(Turned why) {
        counted.accept(why);
    }
}
