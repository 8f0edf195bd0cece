import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name that the servers' certificate bears, beside their address. */
export const SERVER_NAME = 'engine.example';

/** Paths of PEM files. */
export interface Certificates {
  readonly authority: string;
  /** Of the servers: their key and after it their certificate, as servers on Java want them. */
  readonly server: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  readonly client: string;
  readonly clientKey: string;
  /** An authority that has signed nothing. */
  readonly stranger: string;
}

/** Makes an authority, and a certificate for servers of these names and one for clients that it has signed, in a folder. */
export function makeCertificates(folder: string, names: readonly string[] = [SERVER_NAME]): Certificates {
  const path = (name: string) => join(folder, `${name}.pem`);
  selfSigned(path, 'authority');
  selfSigned(path, 'stranger');
  const hosts = [...names.map((name) => `DNS:${name}`), 'IP:127.0.0.1'];
  signed(path, 'server', ['-addext', `subjectAltName=${hosts.join(',')}`]);
  signed(path, 'client', []);
  writeFileSync(path('server-whole'), [path('server-key'), path('server')].map(textOf).join(''));
  return {
    authority: path('authority'),
    server: path('server-whole'),
    serverCertificate: path('server'),
    serverKey: path('server-key'),
    client: path('client'),
    clientKey: path('client-key'),
    stranger: path('stranger'),
  };
}

type PathOf = (name: string) => string;

function selfSigned(path: PathOf, name: string): void {
  request(path, name, []);
}

function signed(path: PathOf, name: string, extensions: readonly string[]): void {
  const usage = ['-addext', 'basicConstraints=critical,CA:FALSE'];
  request(path, name, ['-CA', path('authority'), '-CAkey', path('authority-key'), ...usage, ...extensions]);
}

function request(path: PathOf, name: string, more: readonly string[]): void {
  const files = ['-keyout', path(`${name}-key`), '-out', path(name)];
  const fixed = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
  execFileSync('openssl', ['req', ...fixed, ...files, ...more], { stdio: 'pipe' });
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}
