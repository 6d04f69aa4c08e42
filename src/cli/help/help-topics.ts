/** The texts of `help TOPIC`, for subjects that belong to no single command. */
const topics: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes
    0  done, or nothing to do
    1  a defect of this program
    2  wrong flag or payload, a confirmation is needed, not possible here
    3  no such stack, party or message
    4  the stack or node does not run
    5  a time limit passed; what was accepted may still confirm
    6  a port is in use
    7  the node refused, or the message was rejected
    8  a service is not healthy, or the node failed
    9  something that is needed is missing on this machine
   10  the name exists, another command is at work, state of another version
  127  unknown command      130  Ctrl-C      143  SIGTERM`,
  json: `JSON
  --json prints one JSON text on stdout: results of this program as an object
  with "schemaVersion": 1; records of a node as served, with one more last
  member "stack" where this program has something to add. Streams and bulk
  sends print a record per line. A failure is one line
  {"schemaVersion":1,"error":{code,message,hint,exitCode,details}}.`,
  payloads: `Payloads
  A value is PAYLOAD or --data: text, @FILE, or - for stdin. Text that is JSON
  is sent as that JSON, character for character but for white space outside
  strings. Text that begins with { [ or " and is no JSON is refused. Any other
  text is sent as a string; --text sends a string whatever it looks like.
  --file sends a file of any size as it is, described by its name, type and
  size (--no-autometa: by nothing); --data-id names data that the node holds
  already. A message has its items in the order in which they are typed.
  --datatype name@version holds every value against a datatype.
  --lines makes a message of each line of stdin. With --count or --expand
  these are replaced: {{n}} {{uuid}} {{now}} {{rand 1 100}}.`,
  filters: `Filters
  Lists take --filter field=value, in the query syntax of the API:
    tag=order      equal             tag=^ord     begins with
    tag=@rde       contains          tag=$er      ends with
    tag=!order     not               tag=:ORDER   whatever the case
    confirmed=?    has none          confirmed=!? has one
    created=>=2026-01-01T00:00:00Z   also < <= >
  A field that is named twice means either; with [ before a value both.
  Ids and hashes may be shortened wherever one is asked for.`,
  subscriptions: `Subscriptions
  Every node has one sequence of events. "events list" reads the past, "events
  tail" follows, "events forward" posts each to a URL. Their filters --type
  --tag --topic --author --group are regular expressions (RE2), not anchored:
  order finds reorder too, ^order$ only order. What an event lacks is matched
  as empty text. --since: newest, oldest, 5m, a time, or a sequence number.
  A subscription ("subs create NAME") is remembered by the node: each event
  comes until it is acknowledged, in order, also after a crash, to one of
  those who are attached. Attach with --durable NAME or over WebSocket at
  /ws?namespace=default&name=NAME; of several who are attached one is served,
  the others take over. An ephemeral one lasts as long as its connection:
  /ws?namespace=default&ephemeral&autoack&filter.message.tag=^order$
  A webhook gets them as POST requests and acknowledges with 2xx.`,
  assertions: `Assertions
  "expect" takes them as arguments, or one per line of --file; # begins a
  comment.
    message ID|FIELD=VALUE…  confirmed|rejected|cancelled|pending|absent
    events TYPE [FIELD=VALUE…]  = COUNT      also >= <= > <
    balance POOL OWNER  = AMOUNT             also >= <= > <
    order [topic=TOPIC]  same
    data ID|FIELD=VALUE…  equals VALUE|@FILE
  FIELD is tag, topic, type, author or group. "on alice,bob" or "on all" at the
  end (of data before "equals") says where; default: at the selected party.
  A message assertion is about every message found, and needs at least one;
  pending is not decided yet. Order is compared topic by topic, of private
  messages group by group. Values are equal if they are written alike, white
  space apart; files if their SHA-256 is equal.`,
  seeds: `Seeds
  A seed is a YAML file with a list of steps, which "seed FILE" applies:
    - {party: alice, mint: {amount: 100, pool: coins, to: bob}}
    - {party: bob, broadcast: {payload: {hello: world}, topic: [a, b]}}
    - {party: bob, send: {payload: '@offer.json', to: carol}}
  A step is a command with its flags by name and its arguments in lower case:
  broadcast, send, datatype define, pool create, mint, transfer or burn. What
  is no text is sent as JSON; numbers that must keep their spelling go in a
  text or a file. Paths are relative to the seed. Each step is applied once,
  whatever comes between, by a key made of file name, position and content.`,
  triggers: `Triggers
  A trigger is a YAML file with a description and named steps:
    description: A message to all parties.
    steps:
      - {name: send, party: '{{first}}', broadcast: {payload: x, tag: '{{run}}'}}
      - {name: check, expect: 'message {{send.id}} confirmed on all'}
  A step is a command as in a seed; fault cut, delay, drop or clear, party or
  chain pause or resume; "expect" with assertions; or "parallel" with steps.
  "fails: 7" expects an exit code, "parties: 3" needs so many, steps under
  "finally:" undo what was disturbed. {{run}} is a name for this run, {{first}}
  {{second}} {{last}} are parties, {{connector}} is a token connector, and
  {{send.id}} is of what the step "send" answered. Your own are in triggers/
  beside stack.yaml or here, and hide those of the package.`,
  templates: `Templates
  A template is a directory with two files. template.yaml has its name,
  version and description, and its parameters: each with a title, and a
  default unless it must be given; "type" and "enum" say what it may be.
  stack.yaml is a definition with \${parameter} in it. "extends: default" in
  template.yaml makes stack.yaml an addition to that template's. What is in
  seed/, triggers/ and files/ beside it each stack gets as it is. "init -t"
  takes a name or a path; --set gives parameters and settings a value. Begin
  with "template new NAME", and check it with "template validate NAME --start".
  Your own are in templates/ of $STACK_HOME and hide those of the package.`,
  'stack-yaml': `stack.yaml
  Defines a stack: its parties, its chain, its tokens, its settings. "config
  show --resolved" lists every setting with its value and where that comes
  from, "config set" changes one, "config validate" lists what is wrong.
  A setting is looked for in stack.yaml, then in your own config.yaml
  (~/.config/parley/config.yaml, or below $XDG_CONFIG_HOME), then it has its
  default. config.yaml has batch, cors, limits, logs, restart and webhooks of
  stacks; and of your own template, namespace, "color: false", "input: false".
  After a change "start" says what differs, takes over what it can (also new
  parties and pools) and refuses what the network cannot take over.
  Editors complete and check the file by its first line, a JSON Schema.`,
  env: `Environment
  STACK_NAME       the stack to use
  STACK_PARTY      the party whose node to use
  STACK_NS         the namespace
  STACK_URL        a node anywhere, instead of a stack
  STACK_AUTH_FILE  file with user:password or a token for that node
  STACK_CA_FILE    file of the authority that has issued its certificate
  STACK_HOME       where stacks are kept
  STACK_NO_INPUT   never ask, as --no-input
  XDG_CONFIG_HOME  parley/config.yaml in it has your own defaults; ~/.config
  NO_COLOR, FORCE_COLOR, CI, TERM  as everywhere
  "env" prints the addresses of a stack as variables.`,
};

export const topicNames: readonly string[] = Object.keys(topics);

/** The text of a topic; undefined if it does not exist. */
export function helpTopic(name: string): string | undefined {
  return Object.hasOwn(topics, name) ? topics[name] : undefined;
}
