package gantry.replica.lead;

import gantry.replica.range.RangeLink;

/// What one link of a leader does with parts of the log besides streaming it.
///
/// For:   a link whose other side knows version 2.
/// Owner: the link's machine.
record LeaderRanges(Comparing comparing, RangeLink link) {
    void ended() {
        comparing.ended();
        link.ended();
    }
}
