import { describe, expect, it } from 'vitest';
import { organizationActions, type Subjects, subjectActions } from './organization-actions.ts';

const SUBJECTS: Subjects = {
  role: 'owner',
  user: { hasPassword: true },
  workspaces: [{ workspaceId: 'wks_1', name: 'Shop', state: 'active', products: ['svcimport'] }],
  keys: [{ keyId: 'key_1', name: 'checkout', last4: 'x7Qa' }],
  members: [{ userId: 'usr_2', email: 'mia@northwind.example', hasPassword: true }],
};

const labels = (subjects: Subjects) => subjectActions(subjects).map(({ label }) => label);

describe('organizationActions', () => {
  it('leaves a member what concerns the own account', () => {
    const ofMember = organizationActions({ ...SUBJECTS, role: 'member' });
    expect(new Set(ofMember.map(({ where }) => where))).toEqual(new Set(['settings']));
    const ofAdmin = organizationActions({ ...SUBJECTS, role: 'admin' }).map(({ label }) => label);
    expect(ofAdmin).toEqual(expect.arrayContaining(['Create key', 'Invite a person', 'Claim a workspace']));
  });
});

describe('a person whom an identity provider signs in', () => {
  const hasPassword = false;

  it('has no password to change, and gets no reset link', () => {
    const own = organizationActions({ role: 'member', user: { hasPassword } });
    expect(own.map(({ label }) => label)).toEqual(['End another session']);
    const members = SUBJECTS.members.map((member) => ({ ...member, hasPassword }));
    expect(labels({ ...SUBJECTS, members })).not.toContain('Make a reset link for mia@northwind.example');
    expect(labels(SUBJECTS)).toContain('Make a reset link for mia@northwind.example');
  });
});

describe('subjectActions', () => {
  it('names each workspace, key and member, as far as the role reaches', () => {
    const named = [
      'Pause workspace',
      'Erase workspace',
      'Revoke key checkout',
      'Remove mia@northwind.example',
    ];
    expect(labels(SUBJECTS)).toEqual(expect.arrayContaining(named));
    expect(labels({ ...SUBJECTS, role: 'admin' })).not.toContain('Erase workspace');
    expect(labels({ ...SUBJECTS, role: 'member' })).toEqual([]);
  });

  it('offers for a workspace only what its state allows', () => {
    const ended = SUBJECTS.workspaces.map((workspace) => ({ ...workspace, state: 'disconnected' }));
    const none = { ...SUBJECTS, workspaces: ended, keys: [], members: [] };
    expect(labels(none)).toEqual(['Erase workspace']);
  });
});
