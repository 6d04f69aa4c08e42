import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { programFile } from '../../e2e/fixtures/cli.js';
import { byCommand, createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** Flags of commands for whole stacks that no other test uses, each once, with its effect. */
const cli = createStackCli('minimal');
const { ok, okJson, ends } = cli;
const inHome = (name: string) => join(cli.directory, name);

beforeAll(cli.start);
afterAll(cli.remove);

describe('Flags of a stack', () => {
  test('logs are filtered by time, level, expression and number', async () => {
    await ok('api', 'GET', 'status', '-q');
    const lines = async (...words: readonly string[]) =>
      (await ok('logs', ...words)).split('\n').filter((line) => line !== '');
    expect((await lines('alice', '-n', '2')).length).toBe(2);
    expect(await lines('alice', '--level', 'error')).toEqual([]);
    expect(await lines('--until', '1h')).toEqual([]);
    const since = await lines('alice', '--since', '1h', '-n', '1000');
    const ready = await lines('alice', '--grep', 'Ready', '-n', '1000');
    expect(ready.length).toBeGreaterThan(0);
    expect(await lines('alice', '--grep', 'Ready', '--invert', '-n', '1000')).toHaveLength(since.length - ready.length);
    expect(ready[0]).toMatch(/ alice +info +Ready /);
    expect((await lines('alice', '--grep', 'Ready', '--no-prefix'))[0]).toMatch(/Z info +Ready /);
    expect((await ends('logs', '--message', 'abcd')).said).toContain('debug');
    expect((await ends('logs', '--request', 'abcd')).said).toContain('X-FireFly-Request-ID');
  });

  test('dump includes the requested number of events', async () => {
    const folder = await ok('dump', inHome('dumped'), '--events', '3');
    const events = JSON.parse(readFileSync(join(folder, 'parties/alice/events.json'), 'utf8')) as unknown[];
    expect(events).toHaveLength(3);
  });

  test('dump reads the nodes of a running stack whose definition is broken', async () => {
    const file = inHome('home/stacks/dev/stack.yaml');
    const whole = readFileSync(file, 'utf8');
    onTestFinished(() => {
      writeFileSync(file, whole);
    });
    writeFileSync(file, `${whole}\nlogs: {`);
    const { path, problems } = (await okJson('dump', inHome('broken'))) as { path: string; problems: string[] };
    expect(problems).toEqual([expect.stringMatching(/^The definition cannot be read: .*last start/)]);
    for (const subject of ['events', 'messages', 'status'])
      expect(existsSync(join(path, `parties/bob/${subject}.json`))).toBe(true);
    expect(readFileSync(join(path, 'stack.yaml'), 'utf8')).toContain('logs: {');
  });

  test('a fault of one direction ends after its time', async () => {
    expect(await okJson('fault', 'cut', 'alice', 'bob', '--one-way', '--for', '1s')).toMatchObject({
      fault: { oneWay: true, until: expect.any(String) as string },
    });
    await expect.poll(() => okJson('fault', 'list'), byCommand).toMatchObject({ faults: [] });
  });

  test('settings and templates are shown, copied and checked at the given place', async () => {
    expect(await ok('config', 'show', '--no-origin', '--no-headers')).not.toContain('stack.yaml');
    expect(await ok('config', 'path', '--user')).toMatch(/parley\/config\.yaml$/);
    expect(await ok('template', 'new', 'own', '--from', 'minimal', '--here', '-q')).toBe(inHome('templates/own'));
    expect(existsSync(inHome('templates/own/template.yaml'))).toBe(true);
    expect(await ok('template', 'validate', './templates/own')).toContain('valid');
    expect(await ok('export', 'systemd', '-o', 'dev.service')).toContain('dev.service');
    expect(readFileSync(inHome('dev.service'), 'utf8')).toContain('[Service]');
  });

  test('a start tries a template, or creates a stack of one, which is stopped within a limit', async () => {
    const tried = await cli.run([
      'template',
      'validate',
      'minimal',
      '--start',
      '--timeout',
      '5m',
      '--progress',
      'json',
    ]);
    expect(tried.out).toMatch(/^✓ minimal@\d+ is valid and starts in /);
    expect(tried.err).toContain('"service":"bob","state":"healthy"');
    await ok('start', 'second', '--init', 'ci', '-q', '--timeout', '5m');
    expect((await cli.shell('stack status second --watch | head -1').ended).out).toBe('second · running\n');
    expect(await okJson('stop', 'second', '--timeout', '1m')).toMatchObject({ stopped: ['second'], forced: [] });
    expect(await ok('run', '-n', 'ann,ben', '--progress', 'none', '--', 'sh', '-c', 'echo $STACK_PARTIES')).toBe(
      'ann,ben',
    );
    await ok('remove', 'second', '--yes', '-q');
  });

  test('followed logs end on Ctrl-C, and a node reads its history again from a block', async () => {
    const program = `'${process.execPath}' '${programFile}'`;
    const following = cli.shell(`exec ${program} logs alice -f -n 0 --grep Ready > followed.txt`);
    expect(await okJson('node', 'rebuild', 'alice', '--from', '1', '--yes', '--timeout', '5m')).toMatchObject({
      rebuilt: true,
      keptBlock: 0,
    });
    await expect.poll(() => readFileSync(inHome('followed.txt'), 'utf8')).toContain(' Ready ');
    following.child.kill('SIGINT');
    expect((await following.ended).code).toBe(130);
    expect(await ends('node', 'rebuild', 'alice', '--from', '-1')).toMatchObject({ code: 2 });
    expect(await ok('upgrade', '--timeout', '1m', '--progress', 'none')).toContain('is already of this version');
  });

  test('a network for other machines invites a party, and is exported with its history for them', async () => {
    const settings = ['bind=127.0.0.2', 'advertise=hub.example', 'auth.enabled=true', 'trustedNetwork=true'];
    const sets = settings.flatMap((setting) => ['--set', setting]);
    await ok('init', 'hub', '-t', 'minimal', '--port-base', await freePortBase(), ...sets, '-q');
    await ok('start', 'hub', '-q');
    await ok('party', 'invite', 'dave', '-s', 'hub', '-q');
    const join = ['party', 'join', 'dave.invite.json', '--advertise', 'branch.example', '--bind', '127.0.0.3'];
    expect(await okJson(...join, '--name', 'branch', '--org', 'branch-ltd', '-o', 'request.json')).toMatchObject({
      stack: 'branch',
      party: 'dave',
      request: { organization: 'branch-ltd', endpoint: expect.stringMatching(/^https:\/\/branch\.example:\d+$/) },
    });
    expect(await ok('config', 'show', '-s', 'branch', '--columns', 'setting,value')).toContain('bind\t127.0.0.3\n');
    const elsewhere = ['export', 'compose', '-s', 'hub', '--data', '--advertise', 'net.example', '-o', 'moved'];
    expect(await ends(...elsewhere)).toMatchObject({ code: 10, said: expect.stringContaining('stack stop hub') });
    await ok('stop', 'hub', '-q');
    expect(await okJson(...elsewhere)).toMatchObject({ data: true });
    expect(readFileSync(inHome('moved/config/alice.json'), 'utf8')).toContain('"https://net.example:');
    expect(existsSync(inHome('moved/data/nodes/alice'))).toBe(true);
    expect(await ends('export', 'compose', '-s', 'dev', '--advertise', 'net.example')).toMatchObject({
      code: 2,
      said: expect.stringContaining('stack config set auth.enabled=true -s dev, or leave out --advertise'),
    });
    await ok('remove', 'hub', 'branch', '--yes', '-q');
  });

  test('a stack is started when created, moves to other ports, grows, and is removed with its directory', async () => {
    const init = ['init', 'third', '-t', 'minimal', '--port-base', await freePortBase(), '--start'];
    await ok(...init, '--timeout', '5m', '--progress', 'none', '-q');
    const later = await freePortBase();
    const tail = cli.begin(['events', 'tail', '-s', 'third', '--tag', '^moved$', '--count', '1', '-v']);
    const wait = cli.begin(['wait', 'third', '--for', 'event=^moved$', '--timeout', '1m', '-v']);
    await cli.following(tail, 'alice');
    await expect.poll(wait.err).toMatch(/GET .*events.*\n← 200/);
    await ok('stop', 'third', '-q');
    await ok('config', 'set', `ports.base=${later}`, '-s', 'third', '-q');
    const refused = await ends('start', 'third');
    expect(refused).toMatchObject({ code: 10, said: expect.stringContaining('--reassign-ports') });
    await ok('start', 'third', '--reassign-ports', '-q');
    expect(await ok('port', 'chain', '-s', 'third')).toBe(later);
    await ok('broadcast', 'still heard', '--tag', 'moved', '-s', 'third', '-q');
    for (const each of [tail, wait]) expect(await each.ended).toMatchObject({ code: 0 });
    const added = ['party', 'add', 'carol', '--node', 'carol-desk', '-s', 'third'];
    expect(await okJson(...added)).toMatchObject({ party: 'carol', node: 'carol-desk', outcome: 'joined' });
    await ok('stop', 'third', '-q');
    rmSync(inHome('home/stacks/third'), { recursive: true });
    expect((await ends('doctor')).said).toContain('the stack third is in the list, but its directory is gone');
    await ok('doctor', '--fix');
    expect(await ok('list', '-q')).toBe('dev');
  });

  test('--no-color overrides FORCE_COLOR', async () => {
    const environment = { FORCE_COLOR: '1' };
    expect((await cli.run(['status'], { environment })).out).toContain('\u001b[');
    expect((await cli.run(['status', '--no-color'], { environment })).out).not.toContain('\u001b');
  });

  test('init previews, and joins an existing stack, without writing', async () => {
    expect(await ok('init', 'tried', '-n', '2', '--dry-run')).toMatch(/^✓ tried would be created: alice, bob/);
    expect(await ok('init', 'dev', '--if-missing', '--dry-run')).toContain('already exists');
    expect(readdirSync(inHome('home/stacks'))).toEqual(['dev']);
    const { said } = await ends('party', 'join', 'nothing.json', '--advertise', '10.0.0.1');
    expect(said).toContain('there is no file nothing.json');
    expect((await ends('party', 'admit', 'nothing.json')).said).toContain('there is no file nothing.json');
  });

  test('questions that cannot be asked exit with 2, and name the flag', async () => {
    await ok('broadcast', 'kept', '--wait', 'all', '-q');
    await ok('snapshot', 'save', 'before', '-q');
    const asking = ['reset', 'start --fresh', 'remove', 'snapshot restore before', 'snapshot remove before'];
    for (const words of asking) {
      expect(await ends(...words.split(' '), '--no-input')).toMatchObject({
        code: 2,
        said: expect.stringContaining('--yes'),
      });
    }
    expect(await ok('reset', '--dry-run')).toMatch(/would/);
    await ok('snapshot', 'export', 'before', 'before.tar.gz', '-q');
    await ok('snapshot', 'import', 'before.tar.gz', '--name', 'again', '-q');
    await ok('snapshot', 'remove', 'again', '--yes', '-q');
  });

  test('exec runs a command in the environment of a running stack, and fails for a stopped one', async () => {
    const job = 'curl -sf "$STACK_ALICE_URL/api/v1/status" > status.json && echo "$STACK_NAME $STACK_PARTIES"; exit 7';
    expect(await cli.run(['exec', '--', 'sh', '-c', job])).toEqual({ code: 7, out: 'dev alice,bob\n', err: '' });
    expect(readFileSync(inHome('status.json'), 'utf8')).toContain('"alice"');
    await ok('stop', '-q');
    for (const line of ['exec -- true', 'messages list', 'bench broadcast', 'bench mint', 'pool list', 'events tail']) {
      const err = '✗ dev is not running.\n  Start it: stack start dev\n';
      expect(await cli.run(line.split(' ')), line).toEqual({ code: 4, out: '', err });
    }
    await ok('start', '-q');
  });

  test('--no-restart leaves it stopped, and --all stops every one', async () => {
    await ok('broadcast', 'gone', '--wait', 'all', '-q');
    await ok('snapshot', 'restore', 'before', '--yes', '--no-restart', '--progress', 'none', '-q');
    expect(await okJson('status')).toMatchObject({ state: 'stopped' });
    await ok('start', '-q', '--progress', 'none');
    expect(await okJson('stop', '--all')).toMatchObject({ stopped: ['dev'] });
    await ok('reset', '--yes', '--no-restart', '-q');
    expect(await okJson('status')).toMatchObject({ state: 'stopped' });
    await ok('start', '--from-snapshot', 'before', '--yes', '-q');
    expect(await okJson('messages', 'list')).toHaveLength(1);
    await ok('start', '--fresh', '--yes', '--open', '--smoke', '-q');
    expect(await okJson('messages', 'list')).toEqual([]);
    const kept = await okJson('remove', 'dev', '--yes', '--keep-snapshots');
    expect(kept).toMatchObject({ removed: ['dev'] });
    expect(
      readdirSync(cli.directory)
        .concat(readdirSync(inHome('home')))
        .join(' '),
    ).toMatch(/before.*\.tar\.gz/);
  });
});
