/** The texts of `help TOPIC`, for subjects of several commands. */
const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes
    0  success, or nothing to do
    1  a bug in this program
    2  wrong flag or payload, missing confirmation, not supported here
    3  stack, party or message not found
    4  stack or node not running
    5  timeout; accepted messages may still be confirmed
    6  port in use
    7  refused by the node, or message rejected
    8  service unhealthy, node failed, or a check failed
    9  a requirement is missing on this machine
   10  conflict: name exists, another command runs, data of another version
  127  unknown command    129  SIGHUP    130  Ctrl-C    143  SIGTERM`,
  json: `JSON
  --json prints one JSON text on stdout: results of this program as an object
  with "schemaVersion": 1; records of a node as served, with an additional
  last member "stack" for what this program adds. Streams and bulk sends print
  one record per line. An error is one line
  {"schemaVersion":1,"error":{code,message,hint,exitCode,details}}.`,
  payloads: `Payloads
  A value is PAYLOAD or --data: text, @FILE, or - for stdin. JSON is sent as
  written, without white space outside strings. Text that begins with { [ or "
  but is not JSON is refused. Other text is sent as a string; --text always
  sends a string.
  --file sends a file of any size and adds its name, type and size as value
  (not with --no-autometa); --data-id refers to data that the node has already.
  Items keep the order of the command line.
  --datatype name@version checks every value against a datatype.
  --lines sends each line of stdin as a message. --count and --expand replace
  {{n}} {{uuid}} {{now}} {{rand 1 100}}.`,
  filters: `Filters
  Lists take --filter field=value, in the query syntax of the API:
    tag=order      equal             tag=^ord     begins with
    tag=@rde       contains          tag=$er      ends with
    tag=!order     not               tag=:ORDER   ignoring case
    confirmed=?    has no value      confirmed=!? has a value
    created=>=2026-01-01T00:00:00Z   also < <= >
  Two filters of one field mean "or"; with [ before a value they mean "and".
  Ids and hashes can be shortened to four or more characters.`,
  subscriptions: `Subscriptions
  Every node has one sequence of events. "events list" reads past events,
  "events tail" follows new ones, "events forward" posts them to a URL. The
  filters --type --tag --topic --author --group are unanchored regular
  expressions (RE2): order matches reorder, ^order$ does not. A missing field
  is matched as empty text. --since: newest, oldest, 5m, a time, a sequence.
  A durable subscription ("subs create NAME") is stored by the node. It
  delivers each event in order until it is acknowledged, also after a crash.
  Attach with --durable NAME or over WebSocket at
  /ws?namespace=default&name=NAME; of several clients one receives the events,
  and another takes over when it disconnects. An ephemeral subscription lasts
  as long as its connection:
  /ws?namespace=default&ephemeral&autoack&filter.message.tag=^order$
  A webhook receives events as POST requests and acknowledges with 2xx.`,
  assertions: `Assertions
  "expect" takes assertions as arguments, or one per line of --file; # begins
  a comment.
    message ID|FIELD=VALUE…  confirmed|rejected|cancelled|pending|absent
    events TYPE [FIELD=VALUE…]  = COUNT      also >= <= > <
    balance POOL OWNER  = AMOUNT             also >= <= > <
    order [topic=TOPIC]  same
    data ID|FIELD=VALUE…  equals VALUE|@FILE
  FIELD is tag, topic, type, author or group. "on alice,bob" or "on all" at the
  end (for data before "equals") names parties; default: the selected party.
  A message assertion needs at least one message, and must hold for all that
  are found. Order is compared per topic, for private messages per group.
  Values are equal if their JSON text is equal apart from white space, files
  if their SHA-256 is equal.`,
  seeds: `Seeds
  A seed is a YAML file with a list of steps, which "seed FILE" applies:
    - {party: alice, mint: {amount: 100, pool: coins, to: bob}}
    - {party: bob, broadcast: {payload: {hello: world}, topic: [a, b]}}
    - {party: bob, send: {payload: '@offer.json', to: carol}}
  A step is a command with its flags by name and its arguments in lower case:
  broadcast, send, datatype define, pool create, mint, transfer or burn. YAML
  other than text is sent as JSON; to keep the spelling of a number, use text
  or a file. Paths are relative to the seed. Each step is applied once: its
  idempotency key is made from file name, position and content.`,
  triggers: `Triggers
  A trigger is a YAML file with a description and named steps:
    description: A message to all parties.
    steps:
    - {name: send, party: '{{first}}', broadcast: {payload: x, tag: '{{run}}'}}
    - {name: check, expect: 'message {{send.id}} confirmed on all'}
  A step is a command as in a seed; fault cut, delay, drop or clear, party or
  chain pause or resume; "expect" with assertions; or "parallel" with steps.
  "fails: 7" expects an exit code, "parties: 3" requires that many, steps under
  "finally:" always run. {{run}} is the name of this run, {{first}} {{second}}
  {{last}} are parties, {{connector}} is a token connector, and {{send.id}} is
  the id from the response to step "send". Your own triggers are in triggers/
  beside stack.yaml or in this directory, and hide those of the package.`,
  templates: `Templates
  A template is a directory with two files. template.yaml has its name,
  version and description, and its parameters: each with a title and, unless
  it is required, a default; "type" and "enum" restrict it.
  stack.yaml is a definition with \${parameter} in it. With "extends: default"
  in template.yaml it is merged into that template's. Each stack gets copies of
  seed/, triggers/ and files/. "init -t" takes a name or a path; --set gives
  values to parameters and settings. Begin with "template new NAME", and check
  the template with "template validate NAME --start".
  Your own templates are in templates/ of $STACK_HOME, and hide those of the
  package.`,
  'stack-yaml': `stack.yaml
  Defines a stack: parties, chain, tokens and settings. "config show
  --resolved" lists every setting with its value and origin, "config set"
  changes one, "config validate" lists all problems.
  A setting comes from stack.yaml, then from your config.yaml
  (~/.config/parley/config.yaml, or below $XDG_CONFIG_HOME), then from the
  defaults. config.yaml can have batch, cors, limits, logs, restart and
  webhooks; and your template, namespace, "color: false", "input: false".
  After a change "start" says what differs, applies what it can (also new
  parties and pools) and refuses the rest.
  Editors complete and check the file by the JSON Schema in its first line.`,
  env: `Environment
  STACK_NAME       the stack to use
  STACK_PARTY      the party whose node to use
  STACK_NS         the namespace
  STACK_URL        the URL of a node, instead of a stack
  STACK_AUTH_FILE  file with user:password or a token for that node
  STACK_CA_FILE    file with the CA certificate for that node
  STACK_HOME       directory of all stacks; default: parley in XDG_DATA_HOME
  STACK_NO_INPUT   never ask, like --no-input
  STACK_COMPLETION_TIMEOUT
                   time limit of completion in a shell; default: 250ms
  XDG_CONFIG_HOME  directory of parley/config.yaml; default: ~/.config
  XDG_DATA_HOME    see STACK_HOME; default: ~/.local/share
  XDG_RUNTIME_DIR  directory of control sockets; default: run in STACK_HOME
  XDG_CACHE_HOME   directory of parley/engines, where chain.provider: anvil
                   finds Anvil; default: ~/.cache
  PARLEY_ENGINES   that directory itself
  DOCKER_HOST      address of the container engine
  NO_COLOR, FORCE_COLOR, CI, TERM  have their usual meaning
  "env" prints the addresses of a stack as variables.`,
};

export const topicNames: readonly string[] = Object.keys(topics);

/** The text of a topic; undefined if it does not exist. */
export function helpTopic(name: string): string | undefined {
  return Object.hasOwn(topics, name) ? topics[name] : undefined;
}
