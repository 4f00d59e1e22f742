/// Stored messages: the bytes that are on disk, on the replication link and in a pull answer alike.
///
/// ```
///   RecordDraft ──▶ RecordWriter ──▶ record bytes ──▶ RecordView (checked before anything is believed)
///   batch body  ──▶ BatchItems ──▶ one draft per item        properties, ids and tag hashes: small readers of bytes
/// ```
/// Neighbours: `store` keeps these bytes, `broker` fills drafts; imports `gantry.base` only.
@NullMarked
package gantry.wire.message;

import org.jspecify.annotations.NullMarked;
