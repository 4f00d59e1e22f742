package gantry.replica.lead;

import gantry.replica.member.MemberState;
import java.util.OptionalLong;

/// What a leader knows of one other member, at one moment.
///
/// For:   status, health and metrics.
/// Owner: none (immutable).
///
/// @param host where its link comes from; empty while it has none
/// @param written up to where it has the log, as it proved on the link that it has now; empty: not known
/// @param heardNanos when it was heard last; empty: never
public record MemberProgress(long id, String host, MemberState state, OptionalLong written, OptionalLong heardNanos) {}
