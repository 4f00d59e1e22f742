package gantry.client.route;

import gantry.base.Endpoint;
import gantry.client.route.TopicPage.Inquiry;
import gantry.wire.body.TopicRoute;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decides which nameserver is asked about which topic, and which of their answers counts.
///
/// For:   a route in bounded time although nameservers hang, lie dead, are cut off, or have just started.
/// Owner: the route sequencer; time is an argument, what has to happen outside is `takeSteps`.
/// Never: asks, waits, reads a clock.
/// Holds: CROUTE-1 an inquiry ends: settled or failed, once its questions have ended; CROUTE-2 a route that was known
///        is not lost because nobody answers; CROUTE-3 a nameserver that missed an answer is asked last until it has
///        answered, or its time is over.
///
/// ```
///   nothing known ── want ──▶ asking the first ones ── a route ────────────────────▶ settled (compared with later
/// words)
///                                 │ none within `hedge`, or one failed, or unknown
///                                 └──▶ asking one more … ── all unknown ────────────▶ settled: no such topic
///                                                        └─ none answered ──────────▶ what was known, else failed
///   settled ── `poll` over, or in doubt ──▶ asking again, while what is known serves
/// ```
final class RouteBook {
    private final RouteLimits limits;
    private final List<NameserverPage> nameservers = new ArrayList<>();
    private final Map<String, TopicPage> topics = new LinkedHashMap<>();
    private List<RouteStep> steps = new ArrayList<>();
    private long lastInquiry;
    private int turn;

    /// @param turn which nameserver is first; different in each client, so that they spread
    RouteBook(RouteLimits limits, List<Endpoint> nameservers, int turn) {
        this.limits = limits;
        this.turn = turn;
        nameservers.forEach(each -> this.nameservers.add(new NameserverPage(each)));
    }

    /// The list of nameservers has changed; who left it is neither asked nor believed any more.
    void nameservers(List<Endpoint> now) {
        for (Iterator<NameserverPage> each = nameservers.iterator(); each.hasNext(); ) {
            Endpoint address = each.next().address;
            if (!now.contains(address)) {
                each.remove();
                steps.add(new RouteStep.Close(address));
                topics.values().forEach(page -> page.views.remove(address));
            }
        }
        for (Endpoint address : now) {
            if (nameservers.stream().noneMatch(each -> each.address.equals(address))) {
                nameservers.add(new NameserverPage(address));
            }
        }
        topics.values().forEach(page -> page.doubted = true);
    }

    /// A route that was written down earlier; it serves when nobody answers.
    void remember(String topic, TopicRoute route) {
        TopicPage page = page(topic);
        if (page.route == null) {
            page.route = route;
        }
    }

    /// Somebody waits for a topic's route.
    void want(String topic, long nowNanos) {
        TopicPage page = page(topic);
        page.usedNanos = nowNanos;
        if (page.isFresh(limits, nowNanos)) {
            steps.add(new RouteStep.Settled(topic, page.route));
        } else if (page.inquiry == null) {
            inquire(page, nowNanos);
        }
    }

    /// A topic is in use, though nobody waits.
    void used(String topic, long nowNanos) {
        TopicPage page = topics.get(topic);
        if (page != null) {
            page.usedNanos = nowNanos;
        }
    }

    /// The route of a topic may be wrong.
    void doubt(String topic, long nowNanos) {
        TopicPage page = topics.get(topic);
        if (page != null) {
            page.doubted = true;
            again(page, nowNanos);
        }
    }

    /// A nameserver has given a route.
    void answered(RouteView view, String topic, long inquiry, long nowNanos) {
        heard(view.nameserver());
        TopicPage page = topics.get(topic);
        if (page == null || !isOnList(view.nameserver())) {
            return;
        }
        page.views.put(view.nameserver(), view);
        page.route = Freshest.of(page.views.values());
        page.confirmed = true;
        page.confirmedNanos = nowNanos;
        steps.add(new RouteStep.Settled(topic, page.route));
        Inquiry open = ended(page, inquiry);
        if (open != null) {
            open.answered = true;
            finish(page, open, nowNanos);
        }
    }

    /// A nameserver does not know the topic.
    void unknown(Endpoint nameserver, String topic, long inquiry, long nowNanos) {
        heard(nameserver);
        TopicPage page = topics.get(topic);
        if (page == null) {
            return;
        }
        page.views.remove(nameserver);
        Inquiry open = ended(page, inquiry);
        if (open != null) {
            open.unknown = true;
            finish(page, open, nowNanos);
        }
    }

    /// A nameserver answered, but says that it cannot know yet, or something that cannot be used.
    void useless(Endpoint nameserver, String topic, long inquiry, String sentence, long nowNanos) {
        heard(nameserver);
        failed(topic, inquiry, sentence, nowNanos);
    }

    /// A nameserver did not answer.
    void missed(Endpoint nameserver, String topic, long inquiry, String sentence, long nowNanos) {
        silent(nameserver, nowNanos);
        failed(topic, inquiry, sentence, nowNanos);
    }

    /// A nameserver did not answer something else.
    void silent(Endpoint nameserver, long nowNanos) {
        for (NameserverPage each : nameservers) {
            if (each.address.equals(nameserver)) {
                each.missed(limits, nowNanos);
            }
        }
    }

    /// A nameserver answered something else.
    void heard(Endpoint nameserver) {
        for (NameserverPage each : nameservers) {
            if (each.address.equals(nameserver)) {
                each.answered();
            }
        }
    }

    void tick(long nowNanos) {
        for (TopicPage page : new ArrayList<>(topics.values())) {
            Inquiry open = page.inquiry;
            if (open != null) {
                if (!open.answered && nowNanos - open.hedgeNanos >= 0) {
                    askNext(page, open, nowNanos);
                }
            } else if (nowNanos - page.usedNanos >= limits.forgotten().toNanos()) {
                topics.remove(page.topic);
            } else if (page.doubted
                    || nowNanos - page.inquiredNanos >= limits.poll().toNanos()) {
                again(page, nowNanos);
            }
        }
    }

    /// What has to happen outside since the last call, in this order.
    List<RouteStep> takeSteps() {
        List<RouteStep> taken = steps;
        steps = taken.isEmpty() ? taken : new ArrayList<>();
        return taken;
    }

    /// What is known of a topic, however old.
    @Nullable
    TopicRoute known(String topic) {
        TopicPage page = topics.get(topic);
        return page == null ? null : page.route;
    }

    Map<String, TopicRoute> allKnown() {
        Map<String, TopicRoute> known = new LinkedHashMap<>();
        topics.values().forEach(page -> {
            if (page.route != null) {
                known.put(page.topic, page.route);
            }
        });
        return known;
    }

    List<String> topics() {
        return List.copyOf(topics.keySet());
    }

    /// Whom to ask now: those that answer before those that do not, each client beginning with another one.
    List<Endpoint> order(long nowNanos) {
        List<Endpoint> well = new ArrayList<>();
        List<Endpoint> sick = new ArrayList<>();
        for (int i = 0; i < nameservers.size(); i++) {
            NameserverPage each = nameservers.get(Math.floorMod(turn + i, nameservers.size()));
            (each.isSick(nowNanos) ? sick : well).add(each.address);
        }
        well.addAll(sick);
        return well;
    }

    // --- The rest serves the events above. ---

    private TopicPage page(String topic) {
        TopicPage page = topics.get(topic);
        if (page == null) {
            if (topics.size() >= limits.mostTopics()) {
                topics.remove(topics.keySet().iterator().next());
            }
            page = new TopicPage(topic);
            topics.put(topic, page);
        }
        return page;
    }

    private void again(TopicPage page, long nowNanos) {
        if (page.inquiry == null
                && nowNanos - page.inquiredNanos >= limits.doubtGap().toNanos()) {
            inquire(page, nowNanos);
        }
    }

    private void inquire(TopicPage page, long nowNanos) {
        Inquiry open = new Inquiry(++lastInquiry);
        page.inquiry = open;
        page.inquiredNanos = nowNanos;
        page.doubted = false;
        for (int i = 0; i < limits.atOnce(); i++) {
            askNext(page, open, nowNanos);
        }
        if (open.outstanding == 0) {
            finish(page, open, nowNanos);
        }
    }

    /// @return false when all have been asked
    private boolean askNext(TopicPage page, Inquiry open, long nowNanos) {
        open.hedgeNanos = nowNanos + limits.hedge().toNanos();
        for (Endpoint each : order(nowNanos)) {
            if (open.asked.add(each)) {
                open.outstanding++;
                steps.add(new RouteStep.Ask(each, page.topic, open.id));
                return true;
            }
        }
        return false;
    }

    /// One question of the inquiry has ended.
    ///
    /// @return the inquiry, unless it is over already
    private static @Nullable Inquiry ended(TopicPage page, long inquiry) {
        Inquiry open = page.inquiry;
        if (open == null || open.id != inquiry) {
            return null;
        }
        open.outstanding--;
        return open;
    }

    private void failed(String topic, long inquiry, String sentence, long nowNanos) {
        TopicPage page = topics.get(topic);
        Inquiry open = page == null ? null : ended(page, inquiry);
        if (page != null && open != null) {
            open.failures.add(sentence);
            finish(page, open, nowNanos);
        }
    }

    /// After each end of a question: asks one more where none has brought a route, or ends the inquiry.
    private void finish(TopicPage page, Inquiry open, long nowNanos) {
        if (!open.answered && askNext(page, open, nowNanos)) {
            return;
        }
        if (open.outstanding > 0) {
            return;
        }
        page.inquiry = null;
        if (open.answered) {
            return;
        }
        if (open.unknown && (page.route == null || open.failures.isEmpty())) {
            // All that answered have never heard of it; what was known once is not true any more.
            page.route = null;
            page.confirmed = false;
            steps.add(new RouteStep.Settled(page.topic, null));
        } else if (page.route != null) {
            page.doubted = true;
            steps.add(new RouteStep.Settled(page.topic, page.route));
        } else {
            steps.add(new RouteStep.Failed(page.topic, "no nameserver answered: " + sentences(open)));
        }
    }

    private String sentences(Inquiry open) {
        return open.failures.isEmpty() ? "there is none on the list" : String.join("; ", open.failures);
    }

    private boolean isOnList(Endpoint nameserver) {
        return nameservers.stream().anyMatch(each -> each.address.equals(nameserver));
    }
}
