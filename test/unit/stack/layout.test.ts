import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layoutOf, placeFrom } from '../../../src/stack/layout.js';
import { defaultVariables } from '../../../src/supervisor/machine/environment.js';

describe('The place of the stacks', () => {
  test('is $STACK_HOME, else below $XDG_DATA_HOME, else below the home directory', () => {
    expect(placeFrom({ STACK_HOME: '/a', XDG_DATA_HOME: '/b' }).home).toBe('/a');
    expect(placeFrom({ XDG_DATA_HOME: '/b' }).home).toBe('/b/parley');
    expect(placeFrom({ STACK_HOME: '' }).home).toMatch(/\/\.local\/share\/parley$/);
  });

  test('has its sockets below $XDG_RUNTIME_DIR, else below its home', () => {
    expect(placeFrom({ XDG_RUNTIME_DIR: '/run/user/7' }).runtimeDirectory).toBe('/run/user/7/parley');
    expect(placeFrom({ STACK_HOME: '/a' }).runtimeDirectory).toBe('/a/run');
    expect(placeFrom({ STACK_HOME: '/a', XDG_RUNTIME_DIR: '' }).runtimeDirectory).toBe('/a/run');
  });

  test('is relative to the working directory if $STACK_HOME is', () => {
    expect(placeFrom({ STACK_HOME: 'a/b' })).toMatchObject({
      home: join(process.cwd(), 'a/b'),
      runtimeDirectory: join(process.cwd(), 'a/b/run'),
    });
  });

  test('ignores relative variables of XDG', () => {
    const relative = { XDG_DATA_HOME: 'a', XDG_RUNTIME_DIR: 'b', XDG_CONFIG_HOME: 'c' };
    const { home, runtimeDirectory, configFile } = placeFrom({});
    expect(placeFrom(relative)).toMatchObject({ home, runtimeDirectory, configFile });
  });

  test('passes on only the variables that programs need', () => {
    expect(placeFrom({ PATH: '/bin', NPM_TOKEN: 'secret' }).environment).toEqual({ ...defaultVariables, PATH: '/bin' });
  });
});

describe('The layout of a stack', () => {
  test('has a short path of its socket even for a long path of its directory', () => {
    const place = placeFrom({ XDG_RUNTIME_DIR: '/run/user/1000' });
    const { socket, id } = layoutOf(`/${'long/'.repeat(100)}dev`, place);
    expect(socket).toBe(`/run/user/1000/parley/${id}.sock`);
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
  });

  test('has another id for another directory', () => {
    const place = placeFrom({});
    expect(layoutOf('/a/dev', place).id).not.toBe(layoutOf('/b/dev', place).id);
  });
});
