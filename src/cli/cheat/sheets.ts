/** A worked example: what it does, and the words behind the program's name. */
export type Example = readonly [what: string, command: string];

/** Examples by topic, in working order: a test runs them one after the other in a stack of the template `tokens`. */
export const sheets: Readonly<Record<string, readonly Example[]>> = {
  messages: [
    [
      'a message to all parties, confirmed everywhere',
      `broadcast '{"order":17}' --tag order --topic orders --wait all`,
    ],
    ['a private message', `send 'only for you' --to bob --topic talk`],
    ['from another party, to several', `send '{"offer":5}' --to alice,carol -p bob`],
    ['a file of any size', `broadcast 'the plan' -f README.md`],
    ['a message per line of a file', `broadcast --lines --topic lines < README.md`],
    ['repeat safely: the same key sends once', `broadcast hello --idempotent hello-1`],
    ['the request as a curl command, without sending it', `broadcast '{"order":18}' --curl`],
    ['the newest messages with their values', `messages list --with-data`],
    ['the state of a message at every party', `messages get "$(stack messages list --limit 1 -q)" --party all`],
    ['why a message is not confirmed', `explain "$(stack messages list --limit 1 -q)"`],
  ],
  events: [
    ['the oldest event of all parties', `events tail --all-parties --since oldest --count 1`],
    ['past events of one party', `events list --since 5m -p bob`],
    ['a subscription that remembers its position', `subs create orders --tag ^order$ --first oldest`],
    ['run a program for each event; exit code 0 acknowledges it', `events tail --durable orders --count 1 --exec cat`],
    ['wait for an event with the tag order', `wait --for event=^order$ --timeout 1s || echo 'none came'`],
    ['delete the subscription', `subs delete orders --yes`],
  ],
  tokens: [
    ['a fungible pool', `pool create gold --type fungible --connector erc1155`],
    ['mint to another party', `mint 100 --pool gold --to bob --wait all`],
    [
      'transfer, with a message that only carol can read',
      `transfer 5 --pool gold --to carol -p bob --message tea --message-to carol`,
    ],
    ['let alice transfer tokens of bob', `pool approve alice --pool gold -p bob`],
    ['burn', `burn 1 --pool gold -p carol`],
    ['all balances', `balances`],
    ['the transfers of a pool', `transfers --pool gold`],
  ],
  faults: [
    ['cut a link for 30 s', `fault cut alice bob --for 30s`],
    ['send a message over it, which waits', `send hello --to bob --topic held --no-wait`],
    ['the cause, and what to do', `explain || true`],
    ['clear the fault', `fault clear`],
    ['pause a node, and resume it', `party pause carol && stack party resume carol`],
    ['pause mining, and resume it', `chain pause && stack chain resume`],
    ['wait until nothing is pending', `wait --for idle`],
  ],
  testing: [
    ['check the state of a message at every party', `expect message tag=order confirmed on all`],
    [
      'check several assertions for up to 10 s',
      `expect 'balance coins bob >= 1' 'order topic=orders same on all' --within 10s`,
    ],
    ['run a scenario, and check its results', `trigger hello`],
    ['save the state', `snapshot save clean`],
    ['compare with a later state', `broadcast later && stack snapshot save later && stack snapshot diff clean later`],
    ['restore the state', `snapshot restore clean --yes`],
  ],
  ci: [
    [
      'a temporary network for one command; its logs are kept if it fails',
      `run -t minimal --dump ./artifacts -- sh -c 'echo "$STACK_ALICE_URL"'`,
    ],
    ['the addresses as variables', `env --format dotenv`],
    ['logs and state of a stack, without secrets', `dump ./artifacts`],
  ],
};
