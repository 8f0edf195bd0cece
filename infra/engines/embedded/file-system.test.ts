import { statfsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { remoteFileSystem, remoteFileSystemOf } from './file-system.ts';

describe('remoteFileSystem', () => {
  it('names the file systems that are on another machine, and no local one', () => {
    expect([0x6969, 0xfe534d42, 0x65735546].map(remoteFileSystem)).toEqual(['NFS', 'SMB', 'FUSE']);
    // ext, XFS, Btrfs, ZFS, tmpfs, overlay.
    const local = [0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x01021994, 0x794c7630];
    expect(local.map(remoteFileSystem)).toEqual(local.map(() => null));
  });

  it('reads the type of a folder, and names none for a folder that is missing', () => {
    expect(remoteFileSystemOf('/proc')).toBeNull();
    expect(statfsSync('/proc').type).toBe(0x9fa0);
    expect(remoteFileSystemOf('/nowhere')).toBeNull();
  });
});
