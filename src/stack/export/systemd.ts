import { dirname } from 'node:path';
import { packageFile } from '../layout.js';
import type { Stack } from '../places/locate.js';

/** The facts about this machine in a unit. */
export interface UnitParts {
  readonly user: string;
  readonly node: string;
  readonly engine?: string | undefined;
}

/**
 * The text of a systemd unit that runs a stack: its logs go to the journal, and it is always restarted, so that a chain
 * on another machine may start later.
 */
export function unitText({ name, place, settings }: Stack, { user, node, engine }: UnitParts): string {
  const program = packageFile('bin/run.js');
  const words = [program, 'start', name, '--foreground', '--no-input', '--timeout', '0'];
  // Systemd replaces variables in all words but the first.
  const command = [quoted(node), ...words.map((each) => quoted(each).replaceAll('$', '$$$$'))];
  const environment = [
    `STACK_HOME=${place.home}`,
    `PATH=${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    ...(settings.docker !== null && engine !== undefined ? [`DOCKER_HOST=${engine}`] : []),
  ];
  return [
    '[Unit]',
    `Description=Parley network ${name}`,
    'Wants=network-online.target',
    'After=network-online.target docker.service postgresql.service',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `User=${user}`,
    ...environment.map((each) => `Environment=${quoted(each)}`),
    `ExecStart=${command.join(' ')}`,
    '# The program stops its services within ten seconds.',
    'KillMode=mixed',
    'TimeoutStopSec=30',
    'SuccessExitStatus=143',
    'Restart=always',
    'RestartSec=5',
    'LimitNOFILE=65536',
    'NoNewPrivileges=true',
    'ProtectSystem=full',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

/** Quotes a word of a unit if necessary, and escapes percent signs. */
function quoted(text: string): string {
  const escaped = text.replaceAll('%', '%%');
  if (/^[\w@:./=%+,-]+$/.test(escaped)) return escaped;
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
