/**
 * The partition of a key: Kafka's default partitioner (murmur2 of the UTF-8 bytes, made positive, modulo the count), so that
 * every writer in every language agrees. We compute it ourselves and pass it on
 * (infra/docs/decisions/0003-partitions-and-generations.md).
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key, 'utf8')) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;
const ROTATION = 24;

/** MurmurHash2, 32 bits, as in org.apache.kafka.common.utils.Utils.murmur2. A signed 32-bit number. */
export function murmur2(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const whole = data.length - (data.length % 4);
  let hash = SEED ^ data.length;
  for (let index = 0; index < whole; index += 4) {
    let word = Math.imul(view.getInt32(index, true), MULTIPLIER);
    word = Math.imul(word ^ (word >>> ROTATION), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ word;
  }
  let tail = 0;
  for (let index = data.length - 1; index >= whole; index -= 1) tail = (tail << 8) | view.getUint8(index);
  if (whole < data.length) hash = Math.imul(hash ^ tail, MULTIPLIER);
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}
