import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'cassandra-driver';
import { CASSANDRA_DATACENTER, HOST } from './addresses.ts';
import { CASSANDRA, jarFolder } from './artifacts.ts';
import type { ServerOptions } from './kafka.ts';
import type { Command, ServerSpec } from './server.ts';

const HEAP_MAX = '1g';
const DIRECT_MEMORY_MAX = '384m';
const PROBE_MS_MAX = 2_000;
const SETTINGS = 'conf/cassandra.yaml';
const LOGGING = 'conf/logback.xml';

/** The packages that Java closes and Cassandra needs: the lists of its jvm17-server.options. */
const EXPORTED = [
  'java.base/java.lang.ref',
  'java.base/jdk.internal.misc',
  'java.base/jdk.internal.ref',
  'java.base/sun.nio.ch',
  'java.management.rmi/com.sun.jmx.remote.internal.rmi',
  'java.rmi/sun.rmi.registry',
  'java.rmi/sun.rmi.server',
  'java.sql/java.sql',
  'jdk.attach/sun.tools.attach',
  'jdk.compiler/com.sun.tools.javac.file',
  'jdk.unsupported/sun.misc',
];
const OPENED = [
  'java.base/java.io',
  'java.base/java.lang',
  'java.base/java.lang.module',
  'java.base/java.lang.reflect',
  'java.base/java.nio',
  'java.base/java.util',
  'java.base/jdk.internal.loader',
  'java.base/jdk.internal.math',
  'java.base/jdk.internal.module',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.reflect',
  'java.base/jdk.internal.util.jar',
  'java.base/sun.nio.ch',
  'jdk.compiler/com.sun.tools.javac',
  'jdk.management/com.sun.management.internal',
];

/** One node that waits for no other. */
export function cassandraServer({ folder, cache, port, tools }: ServerOptions): ServerSpec {
  const own = join(folder, 'cassandra');
  return {
    name: 'cassandra',
    address: `${HOST}:${port}`,
    ports: [port, port + 1],
    folder: own,
    logFile: join(folder, 'logs', 'cassandra.log'),
    files: { [SETTINGS]: renderSettings(own, port), [LOGGING]: LOGBACK },
    prepare: async () => {
      const { java } = await tools();
      return await startCommand(java.program, jarFolder(cache, CASSANDRA), own);
    },
    probe: () => probeCassandra(port),
  };
}

/**
 * The node's settings.
 *
 * `commitlog_sync` decides what an acknowledged write survives. `periodic`, the default of Cassandra, writes to disk every
 * ten seconds and marks what a restart may read every 100 ms: `kill -9` can take the last 100 ms, a power cut the last
 * ten seconds, unless other nodes have them. `batch` writes to disk before it answers, many writes at once: nothing
 * acknowledged is lost by either. This node is alone, so it is `batch`.
 *
 * The commit log is written past the page cache where the file system can do that (`auto`); memtables are tries and tables
 * are indexed by tries, as in the `cassandra_latest.yaml` that Cassandra 5.0 ships for new clusters.
 */
function renderSettings(own: string, port: number): string {
  return `cluster_name: development
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
storage_compatibility_mode: NONE

listen_address: ${HOST}
storage_port: ${port + 1}
rpc_address: ${HOST}
native_transport_port: ${port}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: ${HOST}:${port + 1}

data_file_directories:
  - ${join(own, 'data')}
commitlog_directory: ${join(own, 'commitlog')}
hints_directory: ${join(own, 'hints')}
saved_caches_directory: ${join(own, 'saved_caches')}
cdc_raw_directory: ${join(own, 'cdc_raw')}

commitlog_sync: batch
commitlog_segment_size: 32MiB
commitlog_total_space: 1GiB
commitlog_disk_access_mode: auto

# Two round trips instead of four for a conditional write.
paxos_variant: v2

memtable:
  configurations:
    trie:
      class_name: TrieMemtable
    default:
      inherits: trie
sstable:
  selected_format: bti

# Sized for a machine of two cores and 1 GB of heap. Memtables have room outside of it: conditional writes keep the last
# batch of each aggregate in system.paxos, and each time that is flushed, nearly all of it is compacted. With one writer
# nothing is flushed before half of the room is taken; with the two that are usual, before a third.
memtable_allocation_type: offheap_objects
memtable_heap_space: 128MiB
memtable_offheap_space: 512MiB
memtable_flush_writers: 1
concurrent_reads: 16
# A thread that writes waits until that is on the disk, so there are more of them than the cores could keep busy.
concurrent_writes: 64
concurrent_compactors: 1

# A dropped keyspace is gone: tests make and drop many.
auto_snapshot: false
`;
}

/** Everything at INFO to standard output, which is the log file. */
const LOGBACK = `<configuration>
  <appender name="log" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d{ISO8601} %-5level [%thread] %logger{0} %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="log"/></root>
</configuration>
`;

async function startCommand(java: string, jars: string, own: string): Promise<Command> {
  const agent = (await readdir(jars)).find((jar) => jar.startsWith('jamm-')) ?? '';
  return [
    java,
    '-Xms512m',
    `-Xmx${HEAP_MAX}`,
    '-Xss512k',
    `-XX:MaxDirectMemorySize=${DIRECT_MEMORY_MAX}`,
    '-XX:+UseG1GC',
    '-XX:+PerfDisableSharedMem',
    '-XX:+ExitOnOutOfMemoryError',
    // It measures how much memory objects take.
    `-javaagent:${join(jars, agent)}`,
    '-Djdk.attach.allowAttachSelf=true',
    '-Djava.net.preferIPv4Stack=true',
    '-Dio.netty.tryReflectionSetAccessible=true',
    ...EXPORTED.map((part) => `--add-exports=${part}=ALL-UNNAMED`),
    ...OPENED.map((part) => `--add-opens=${part}=ALL-UNNAMED`),
    // There is no other node to hear from, so the start waits for none.
    '-Dcassandra.skip_wait_for_gossip_to_settle=0',
    '-Dcassandra.ring_delay_ms=0',
    '-Dcassandra-foreground=yes',
    `-Dcassandra.storagedir=${own}`,
    `-Dcassandra.config=file://${join(own, SETTINGS)}`,
    `-Dlogback.configurationFile=${join(own, LOGGING)}`,
    '-cp',
    join(jars, '*'),
    'org.apache.cassandra.service.CassandraDaemon',
  ];
}

async function probeCassandra(port: number): Promise<string> {
  const client = new Client({
    contactPoints: [`${HOST}:${port}`],
    localDataCenter: CASSANDRA_DATACENTER,
    isMetadataSyncEnabled: false,
    monitorReporting: { enabled: false },
    socketOptions: { connectTimeout: PROBE_MS_MAX, readTimeout: PROBE_MS_MAX },
  });
  try {
    const { rows } = await client.execute('SELECT release_version FROM system.local');
    return String(rows[0]?.['release_version']);
  } finally {
    await client.shutdown();
  }
}
