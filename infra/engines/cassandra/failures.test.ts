import { errors, types } from 'cassandra-driver';
import { describe, expect, it } from 'vitest';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { conditionalFailure, repeatableFailure } from './failures.ts';

const { responseErrorCodes: codes } = types;
const answer = (code: number) => new errors.ResponseError(code, 'answer');

const refused = [
  ['a syntax error', answer(codes.syntaxError)],
  ['an invalid request', answer(codes.invalid)],
  ['a missing right', answer(codes.unauthorized)],
  ['a configuration error', answer(codes.configError)],
  ['a value of the wrong type', new TypeError('not a BigInt')],
  ['a wrong argument', new errors.ArgumentError('queries')],
] as const;

const doubtful = [
  ['too few live replicas', answer(codes.unavailableException)],
  ['a write timeout', answer(codes.writeTimeout)],
  ['a write failure', answer(codes.writeFailure)],
  ['a read timeout', answer(codes.readTimeout)],
  ['an overloaded server', answer(codes.overloaded)],
  ['a server that is starting', answer(codes.isBootstrapping)],
  ['an error in the server', answer(codes.serverError)],
  ['an answer of a later protocol', answer(0x1700)],
  ['no answer in time', new errors.OperationTimedOutError('no reply', 'host')],
  ['a lost connection', Object.assign(new Error('Socket was closed'), { isSocketError: true })],
  ['an unknown error', new Error('whatever')],
] as const;

describe('conditionalFailure', () => {
  it.each(refused)('returns the error of an invalid request: %s', (_, error) => {
    expect(conditionalFailure('store', error)).toBe(error);
  });

  it.each(doubtful)('returns CommitUnknownError for %s', (_, error) => {
    const failure = conditionalFailure('store', error);
    expect(failure).toBeInstanceOf(CommitUnknownError);
    expect(failure).toMatchObject({ cause: error });
  });

  it('returns EngineUnavailableError if no host received the request', () => {
    const error = new errors.NoHostAvailableError({});
    expect(conditionalFailure('store', error)).toEqual(
      new EngineUnavailableError('store (Cassandra)', { cause: error }),
    );
  });
});

describe('repeatableFailure', () => {
  it.each(refused)('returns the error of an invalid request: %s', (_, error) => {
    expect(repeatableFailure('blobs', error)).toBe(error);
  });

  it.each([...doubtful, ['no host', new errors.NoHostAvailableError({})] as const])(
    'returns EngineUnavailableError for %s',
    (_, error) => {
      expect(repeatableFailure('blobs', error)).toBeInstanceOf(EngineUnavailableError);
    },
  );
});
