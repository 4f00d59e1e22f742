package gantry.broker.replica;

import gantry.base.Notices;
import gantry.replica.copy.CopyPlan;
import gantry.store.Disk;
import gantry.store.LogBegin;
import gantry.store.LogCut;
import gantry.store.OpenFailed;
import gantry.store.SideStore;
import gantry.store.StoreConfig;

/// What has to be done to a closed store before a member can go on.
///
/// For:   whoever closes and opens the store: the process, or the simulated house.
/// Owner: none (immutable).
public sealed interface Reopening {
    /// Does it, or says why it cannot be done: then the store is opened as it was, and its member comes to the same
    /// point again. Waits for the disk; nobody has the store open.
    ///
    /// @return false when it could not be done, and will not be before something else has changed
    boolean carryOut(Disk disk, StoreConfig config, Notices notices, long wallMillis) throws OpenFailed;

    /// The log is cut back so that it ends at `end`; what is above is kept aside.
    record CutBack(long end) implements Reopening {
        @Override
        public boolean carryOut(Disk disk, StoreConfig config, Notices notices, long wallMillis) throws OpenFailed {
            String trouble = switch (LogCut.at(disk, config, end, notices, wallMillis)) {
                case LogCut.Outcome.Cut _ -> null;
                case LogCut.Outcome.NoRoom noRoom -> noRoom.sentence();
                case LogCut.Outcome.Refused refused -> refused.sentence();
            };
            if (trouble != null) {
                notices.alarm(trouble);
            }
            return trouble == null;
        }
    }

    /// The copy beside the log, which is whole, takes its place.
    ///
    /// @param confirm the new log's confirmOffset
    /// @param seen the newest epoch that was followed
    record SwitchOver(CopyPlan plan, long confirm, long seen) implements Reopening {
        @Override
        public boolean carryOut(Disk disk, StoreConfig config, Notices notices, long wallMillis) throws OpenFailed {
            SideStore copy = SideStore.find(disk, config);
            boolean whole = copy != null && copy.hasSnapshot() && copy.end() == plan.end();
            if (copy == null || !whole) {
                notices.alarm("The copy of the leader's log is not whole any more: some of it was lost on the way to"
                        + " the disk. The rest is copied again.");
                return true;
            }
            MemberRecord record = new MemberRecord(
                    plan.logId(), seen, confirm, plan.epochs().cutAt(plan.end()).dropBelow(plan.begin()));
            copy.switchOver(confirm, plan.keepOld(), MemberFile.contents(record), notices, wallMillis);
            return true;
        }

        @Override
        public String toString() {
            return "a copy of the leader's log, from " + plan.begin() + " to " + plan.end() + ", takes its place";
        }
    }

    /// The log, which has no message yet, begins at `begin`, with files of `segmentBytes`.
    record BeginAt(long begin, long segmentBytes) implements Reopening {
        @Override
        public boolean carryOut(Disk disk, StoreConfig config, Notices notices, long wallMillis) throws OpenFailed {
            LogBegin.at(disk, begin, segmentBytes);
            return true;
        }
    }
}
