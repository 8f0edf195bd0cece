/** The effect of each bound of a queue, buffer, batch, retry or row count, by `file#NAME`. */
export const AT_THE_BOUND: Readonly<Record<string, string>> = {
  'gateway/http/addresses.ts#FORWARDED_MAX':
    'The header is not believed; the address of the connection counts.',
  'gateway/http/admission.ts#NAMES_SHOWN_MAX': 'The answer names the first ones only.',
  'gateway/http/app.ts#REQUEST_IDS_A_DRAW': 'The next id draws again.',
  'gateway/audit/read-entries.ts#ENTRIES_AT_ONCE': 'The next read continues after them.',
  'gateway/audit/read-entries.ts#READS_MAX': 'The page ends early, with a cursor.',
  'gateway/http/exchange.ts#UNREAD_KEPT_BYTES_MAX': 'The connection is closed after the answer.',
  'gateway/http/exchange.ts#LINGER_BYTES_MAX': 'The connection is closed at once.',
  'gateway/imports/preview-rows.ts#PARTITIONS_READ_MAX': 'The page ends early, with a cursor.',
  'gateway/imports/sample-source.ts#SAMPLE_ROWS_MAX': 'The sample ends.',
  'gateway/imports/sample-source.ts#SAMPLE_BYTES_MAX': 'The sample ends.',
  'gateway/imports/walk-imports.ts#ENTRIES_AT_ONCE': 'The next read continues after them.',
  'gateway/imports/walk-imports.ts#READS_MAX': 'The page ends early, with a cursor.',
  'gateway/http/last-use.ts#REMEMBERED_MAX':
    'The entry that was told longest ago is dropped, and told once more.',
  'gateway/http/last-use.ts#UNDER_WAY_MAX': 'The use is told with the next request.',
  'gateway/limiter/checker.ts#ROUNDS_MAX': 'The check fails with 500.',
  'gateway/limiter/known-keys.ts#REMEMBERED_KEYS_MAX': 'The oldest key is dropped, and looked up once more.',
  'gateway/limiter/missed-keys.ts#ADDRESSES_MAX': 'Further addresses are not counted in this minute.',
  'gateway/limiter/missed-keys.ts#LOOKUPS_OF_A_KEY': 'The key counts as unknown until the minute ends.',
  'gateway/limiter/usage-publisher.ts#KEYS_AT_ONCE': 'The next append takes the rest.',
  'gateway/limiter/usage-publisher.ts#APPENDS_MAX': 'The next round takes the rest.',
  'gateway/http/logging.ts#WAITING_CHARACTERS_MAX': 'The lines are written at once.',
  'gateway/http/logging.ts#CAUSES_MAX': 'Deeper causes are left out of the line.',
  'gateway/people/password.ts#HASHES_RUNNING_MAX': 'Further hashes wait.',
  'gateway/people/password.ts#HASHES_WAITING_MAX': 'The request is refused with 503.',
  'gateway/http/strict-json.ts#JSON_DEPTH_MAX': 'The request is refused with 400.',
  'gateway/http/submit.ts#IN_FLIGHT_MAX': 'The request is refused with 503 before its command is appended.',
  'gateway/imports/map-columns.ts#KEYS_SHOWN_MAX': 'The answer counts the others.',
  'gateway/http/validation.ts#FAULTS_SHOWN_MAX': 'The answer counts the others.',
  'gateway/imports/product.ts#IMPORTS_LISTED_MAX': 'Older imports are not looked at.',
  'infra/engines/cassandra/driver.ts#CONNECTIONS_A_HOST': 'Requests share the connections.',
  'infra/engines/cassandra/driver.ts#REQUESTS_A_CONNECTION_MAX':
    'The request is refused: 503 for the caller, a retry for a processor.',
  'infra/engines/cassandra/driver.ts#UNANSWERED_MAX': 'A new connection replaces it.',
  'infra/engines/cassandra/marks.ts#ATTEMPTS_MAX': 'The write fails, and its caller tries again later.',
  'infra/engines/cassandra/session.ts#ATTEMPTS_MAX':
    'The request fails: 503 for the caller, a retry for a processor.',
  'infra/engines/embedded/backup.ts#ATTEMPTS_MAX': 'The backup fails with its reason.',
  'infra/engines/embedded/blob-files.ts#PIECE_BYTES_MAX': 'The next piece takes the rest.',
  'infra/engines/embedded/blob-removal.ts#ROWS_A_STEP': 'The next transaction takes the rest.',
  'infra/engines/embedded/blob-writer.ts#ROW_BYTES_MAX': 'The blob becomes a file.',
  'infra/engines/embedded/counters.ts#LIVE_WINDOWS_MAX': 'A new key is refused.',
  'infra/engines/embedded/engine.ts#SWEPT_A_CALL': 'The next call takes the rest.',
  'infra/engines/embedded/expiring-map.ts#LOOKED_AT_A_KEY': 'Further entries are looked at by the next keys.',
  'infra/engines/embedded/group-commit.ts#QUEUED_WRITES_MAX':
    'The write is refused: 503 for the caller, a retry for a processor.',
  'infra/engines/embedded/limiter-journal.ts#RECENT_WINDOWS_MAX':
    'A written window is dropped, and read again.',
  'infra/engines/embedded/limiter-journal.ts#WRITTEN_AT_ONCE': 'The next transaction takes the rest.',
  'infra/engines/embedded/limiter.ts#REMEMBERED_MAX':
    'A check with a new key is answered 503, for accounts that have their sure share.',
  'infra/engines/embedded/limiter.ts#REMEMBERED_A_TENANT':
    'A check with a new key is answered 503 while all the room is used.',
  'infra/engines/embedded/limiter.ts#SHORT_WINDOWS_MAX': 'Further windows are kept on the disk.',
  'infra/engines/embedded/log-tables.ts#BATCH_CHARACTERS_MAX': 'The next delivery takes the rest.',
  'infra/engines/embedded/log-tables.ts#READ_AT_ONCE': 'The next read takes the rest.',
  'infra/engines/embedded/log.ts#PRUNED_A_CALL': 'The next call takes the rest.',
  'infra/engines/embedded/offset-keeper.ts#FLUSH_ATTEMPTS_MAX':
    'The records come once more, and change nothing.',
  'infra/engines/embedded/read-cache.ts#CHARACTERS_MAX': 'What was used longest ago is dropped.',
  'infra/engines/embedded/read-cache.ts#THINGS_MAX': 'What was used longest ago is dropped.',
  'infra/engines/embedded/replies.ts#REPLIES_UNDER_WAY_MAX':
    'The reply is dropped; the waiter looks at the store.',
  'infra/engines/kafka/accumulator.ts#BATCH_BYTES_MAX': 'The next request takes the rest.',
  'infra/engines/kafka/accumulator.ts#BATCH_RECORDS_MAX': 'The next request takes the rest.',
  'infra/engines/kafka/accumulator.ts#QUEUED_BYTES_MAX':
    'The append is refused: 503 for the caller, a retry for a processor.',
  'infra/engines/kafka/accumulator.ts#QUEUED_RECORDS_MAX':
    'The append is refused: 503 for the caller, a retry for a processor.',
  'infra/engines/kafka/codecs.ts#UNPACKED_BYTES_MAX': 'The batch is not read, and its partition halts.',
  'infra/engines/kafka/group-member.ts#FETCH_BYTES_MAX': 'The next fetch takes the rest.',
  'infra/engines/kafka/group-member.ts#PARTITION_FETCH_BYTES_MAX': 'The next fetch takes the rest.',
  'infra/engines/kafka/grow.ts#PARTITIONS_MAX': 'The program refuses to grow the topic.',
  'infra/engines/kafka/offset-committer.ts#FLUSH_ATTEMPTS_MAX':
    'The records come once more, and change nothing.',
  'infra/engines/kafka/producer.ts#CAUSES_MAX': 'Deeper causes are not looked at.',
  'infra/engines/kafka/record-buffer.ts#DELIVERY_CHARACTERS_MAX': 'The next delivery takes the rest.',
  'infra/engines/kafka/topic-settings.ts#CLOSED_BYTES_MAX':
    'The broker refuses a command that comes too late.',
  'infra/engines/kafka/topic-settings.ts#MESSAGE_BYTES_MAX': 'The broker refuses the batch.',
  'infra/engines/kafka/topic-settings.ts#RECORD_BYTES_MAX': 'The append is refused.',
  'infra/engines/redis/limiter-batches.ts#BATCH_MAX': 'The next run takes the rest.',
  'infra/engines/redis/limiter-batches.ts#CHECKS_UNDER_WAY_MAX': 'The check fails with 500 at once.',
  'infra/engines/redis/limiter.ts#CLAIMED_ACCOUNTS_MAX': 'The next call takes the rest.',
  'infra/engines/redis/replies.ts#REPLIES_MAX': 'The next message takes the rest.',
  'infra/service/cluster-settings.ts#FACTOR_MAX': 'The start is refused.',
  'infra/service/maintenance.ts#STEPS_MAX': 'The next round takes the rest.',
  'infra/service/settings.ts#DISK_RESERVE_MIB_MAX': 'The start is refused.',
  'infra/service/settings.ts#PORT_MAX': 'The start is refused.',
  'infra/service/settings.ts#WORKER_THREADS_MAX': 'The start is refused.',
  'infra/service/start-failures.ts#CAUSES_MAX': 'Deeper causes are not looked at.',
  'infra/service/unknown-variables.ts#EDITS_MAX': 'No other name is suggested.',
  'infra/service/variable-files.ts#FILE_CHARACTERS_MAX': 'The start is refused.',
  'infra/engines/shared/record-memory.ts#PARTITION_BYTES_MAX':
    'The partition is fetched again when it has handled a third.',
  'infra/engines/shared/record-memory.ts#RECORDS_TOGETHER_BYTES_MAX':
    'Partitions beyond their sure part are fetched again when they have handled what they hold.',
  'infra/engines/shared/record-memory.ts#SURE_BYTES_A_PARTITION':
    'The rest is fetched again when others, or the partition itself, have handled what they hold.',
  'processors/imports/attempt-reading.ts#PLANS_KEPT': 'The oldest plan is dropped, and read again.',
  'processors/imports/splitting/split-consumer.ts#FILES_AT_ONCE': 'Further files wait in their topic.',
  'processors/imports/splitting/partition-cutter.ts#PARTITION_BYTES_MAX': 'The next partition begins.',
  'processors/imports/splitting/partition-cutter.ts#PARTITION_RECORDS_MAX': 'The next partition begins.',
  'processors/imports/sweeping/sweeps.ts#LISTED_MAX': 'The next sweep takes the rest.',
  'processors/imports/validation/validate-consumer.ts#PARTITIONS_AT_ONCE':
    'Further partitions wait in their topic.',
  'processors/imports/validation/validate-partition.ts#PARTITION_ERRORS_KEPT':
    'One error of each further row is kept; all are counted.',
  'processors/imports/work-reports.ts#WORK_ATTEMPTS_MAX': 'The validation fails with the code internal.',
  'processors/imports/threads/partition-groups.ts#GROUP_MAX': 'The next message takes the rest.',
  'processors/imports/threads/thread-pool.ts#QUEUE_MAX':
    'The task is refused, and tried again with its item.',
  'processors/imports/threads/thread-pool.ts#THREADS_MAX': 'Tasks wait for a thread.',
  'processors/imports/threads/thread-pool.ts#THREAD_HEAP_MAX_MB':
    'The thread ends, and its task is tried again.',
  'processors/runtime/aggregate.ts#LOOKS_AHEAD_MAX':
    'The batch is committed with the commands whose rows are there.',
  'processors/runtime/aggregate.ts#UNKNOWN_LOOKUPS_MAX': 'The partition pauses, and tries again.',
  'processors/runtime/command-handler.ts#AGGREGATES_AT_ONCE_MAX': 'Further aggregates of the partition wait.',
  'processors/runtime/command-handler.ts#BATCH_BYTES_MAX': 'The next commit takes the rest.',
  'processors/runtime/command-handler.ts#BATCH_COMMANDS_MAX': 'The next commit takes the rest.',
  'processors/runtime/command-handler.ts#DELIVERY_RECORDS_MAX': 'The next delivery takes the rest.',
  'processors/runtime/command-handler.ts#STALE_RELOADS_MAX': 'The partition pauses, and tries again.',
  'processors/runtime/command-handler.ts#TIDIED_AT_ONCE_MAX': 'The next quiet moment takes the rest.',
  'processors/runtime/eraser.ts#AGGREGATES_AT_ONCE': 'Further erasures wait in their topic.',
  'processors/runtime/eraser.ts#ATTEMPTS_MAX': 'The item goes to the dead letters.',
  'processors/runtime/fold.ts#READ_ROUNDS_MAX': 'The command goes to the dead letters.',
  'processors/runtime/held-aggregates.ts#HELD_AGGREGATES_MAX':
    'The aggregate that was used longest ago is dropped, and loaded again.',
  'processors/runtime/held-aggregates.ts#HELD_ROWS_MAX':
    'The rows that were used longest ago are dropped, and read again.',
  'processors/runtime/held-aggregates.ts#NAMED_ROWS_MAX': 'The aggregate is dropped, and loaded again.',
  'processors/runtime/key-filter.ts#BITS_A_KEY': 'A row that is not there is looked for now and then.',
  'processors/runtime/sweeper.ts#RECORDS_AT_ONCE': 'The next append takes the rest.',
  'processors/runtime/turns.ts#TURN_COMMANDS': 'Other work of the process gets its turn.',
  'processors/runtime/work-handler.ts#DELIVERIES_AHEAD': 'Further deliveries wait.',
  'processors/runtime/work-handler.ts#ENDED_PROCESSES_MAX': 'The item goes to the dead letters.',
  'processors/runtime/work-handler.ts#ENGINE_FAILURES_MAX': 'The item goes to the end of its partition.',
  'processors/runtime/working-set.ts#COMMIT_CHARACTERS_MAX': 'The next commit takes the rest.',
  'processors/runtime/working-set.ts#COMMIT_ROWS_MAX': 'The next commit takes the rest.',
  'processors/runtime/working-set.ts#FEW_ROWS': 'The rows of the kind are read one by one.',
  'schemas/base/erasure.ts#ERASED_ROWS_MAX': 'The next command takes the rest.',
  'schemas/base/outcome.ts#RECENT_OUTCOMES_MAX': 'The oldest outcome is dropped.',
  'schemas/csv/header.ts#HELD_BYTES_MAX': 'The file fails with its code.',
  'schemas/csv/limits.ts#COLUMNS_MAX': 'The file fails with too_many_columns.',
  'schemas/csv/limits.ts#FIELD_BYTES_MAX': 'The row gets the error field_too_large.',
  'schemas/csv/limits.ts#RECORD_BYTES_MAX': 'The row gets the error record_too_large.',
  'schemas/csv/line-feeds.ts#WORDS_AT_ONCE': 'The sum is taken, and the next one begins.',
  'schemas/imports/artifact.ts#ARTIFACT_BYTES_MAX': 'The artifact is not read: it cannot be one.',
  'schemas/imports/fields/decimal.ts#PRECISION_MAX': 'The schema is refused with 400.',
  'schemas/imports/fields/text.ts#TEXT_LENGTH_MAX': 'The schema is refused with 400.',
  'schemas/usage/commands.ts#USAGE_COUNTS_MAX': 'The next command takes the rest.',
};

/** Files whose bounds are those of requests. */
export const REQUESTS =
  /^schemas\/(activate|people|workspaces|limiter)\/|^schemas\/imports\/(configuration\.ts|http\.ts|fields\/)|^schemas\/base\/(name|origin|paging)\.ts|start-oidc\.ts/;

/** Loops without a condition, by file, with what ends each. */
export const ENDLESS_LOOPS: Readonly<Record<string, string>> = {
  'gateway/http/arrival.ts': 'The body ends, or it is too slow or too late.',
  'gateway/http/strict-json.ts': 'The text is valid JSON, so that each of its strings has an end.',
  'infra/engines/kafka/grow.ts': 'The generation is drained, or a person ends the program.',
  'infra/engines/kafka/lz4.ts': 'The end mark of a frame, or its bytes are over.',
  'processors/runtime/aggregate.ts': 'UNKNOWN_LOOKUPS_MAX.',
  'processors/runtime/work-handler.ts': 'Attempts end with the item, its dead letter or the partition.',
};
