import { statfsSync } from 'node:fs';

/** File systems of other machines, by the type that `statfs` of Linux returns (linux/magic.h). */
const REMOTE_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);

/** Returns the name of the file system of a type if it is, or may be, on another machine; null for any other type. */
export function remoteFileSystem(type: number): string | null {
  return REMOTE_TYPES.get(type) ?? null;
}

/** Like {@link remoteFileSystem}, for the file system of a folder. Null where the system does not tell. */
export function remoteFileSystemOf(folder: string): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return remoteFileSystem(statfsSync(folder).type);
  } catch {
    return null;
  }
}
