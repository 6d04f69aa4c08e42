import { expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { toServiceError } from '../../../../src/http/answers/errors.js';
import { ForeignDatabase, LockedDatabase, LostConnection } from '../../../../src/wire/errors/disk.js';

it.each([new LostConnection('gone'), new LockedDatabase(), new ForeignDatabase('its tables are gone')])(
  'a database that cannot be used now is no defect: %s',
  (thrown) => {
    expect(toServiceError(thrown, 'a request', createSilentLog())).toMatchObject({ reason: 'stopping', status: 503 });
  },
);
