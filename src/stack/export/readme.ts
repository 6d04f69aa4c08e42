import { publicUrlOf } from '../running/node-config.js';
import type { ExportedNetwork } from './network.js';

export function readmeText({ name, image, ports, settings, hasData }: ExportedNetwork): string {
  const [first] = settings.parties;
  const port = ports.parties[first?.name ?? ''] ?? 0;
  const trust = first?.tls === undefined ? '' : `--cacert keys/${first.name}/tls.crt `;
  const history = hasData
    ? 'Its history is in `data/`. From now on it continues here: do not start the original again.'
    : [
        'Its members, keys and contracts are those of the original.',
        'Its history starts empty, and its nodes refuse those of the original.',
      ].join('\n');
  return `# ${name}

A Parley network for Docker Compose 1.29 or newer.
${history}

\`keys/\` contains the secrets of all parties, in files that only their owner can read. Services run as that owner: if
another user unpacks this folder, write \`id -u\` and \`id -g\` of that user into \`PARLEY_USER\` of \`.env\`.

\`\`\`sh
stack image build                            # where Parley is installed
docker save ${image} | gzip > image.tar.gz
docker load -i image.tar.gz                  # here
docker-compose up -d                         # or: docker compose up -d
curl ${trust}${publicUrlOf(settings, first?.name ?? '', port)}/livez
\`\`\`

| file | content |
|---|---|
| \`compose.yaml\`, \`.env\` | the services; image, owner, published address and limits of memory |
| \`config/\` | the configuration of each service |
| \`keys/\` | secrets: one folder for each party, and \`operator\`, which only the job \`contracts\` reads |
| \`data/\` | one folder for each service, to which only that service writes; stop the network to copy it |
| \`network/\` | the addresses of the contracts, which the job \`contracts\` writes |

To publish a node on another port, change the first number below its \`ports\` in \`compose.yaml\`, and add the
new address, such as \`localhost:8080\`, to \`hosts\` in \`config/PARTY.json\`; then run \`docker-compose up -d\`
and \`docker-compose restart PARTY\`. Another export of ${name} has the same \`COMPOSE_PROJECT_NAME\`: if it is
started on the same machine, it replaces the containers of this one.

The job \`contracts\` deploys the contracts and registers the members; if they exist already, it changes nothing.
Chain and store can be reached only within the network of the containers.
`;
}
