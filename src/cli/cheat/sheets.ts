/** A worked example: what it does, and the words behind the program's name. */
export type Example = readonly [what: string, command: string];

/** Examples by topic, in an order in which they can be typed; a test runs them in a stack of the template `tokens`. */
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
    ['what would be sent, and as curl', `broadcast '{"order":18}' --curl`],
    ['the newest messages with their values', `messages list --with-data`],
    ['the state of one at every party', `messages get "$(stack messages list --limit 1 -q)" --party all`],
    ['why one is not confirmed', `explain "$(stack messages list --limit 1 -q)"`],
  ],
  events: [
    ['follow everybody until 1 has come, from the first', `events tail --all-parties --since oldest --count 1`],
    ['the past of one party', `events list --since 5m -p bob`],
    ['a subscription that remembers its position', `subs create orders --tag ^order$ --first oldest`],
    ['a program for each event, acknowledged when it ends with 0', `events tail --durable orders --count 1 --exec cat`],
    ['wait for an order of the future', `wait --for event=^order$ --timeout 1s || echo 'none came'`],
    ['forget the subscription', `subs delete orders --yes`],
  ],
  tokens: [
    ['a pool of alike tokens', `pool create gold --type fungible --connector erc1155`],
    ['mint to somebody', `mint 100 --pool gold --to bob --wait all`],
    [
      'transfer, with a message that only carol reads',
      `transfer 5 --pool gold --to carol -p bob --message tea --message-to carol`,
    ],
    ['let alice move what bob has', `pool approve alice --pool gold -p bob`],
    ['burn', `burn 1 --pool gold -p carol`],
    ['who has what', `balances`],
    ['what has moved', `transfers --pool gold`],
  ],
  faults: [
    ['cut a link for a while', `fault cut alice bob --for 30s`],
    ['send what it holds up', `send hello --to bob --topic held --no-wait`],
    ['name the cause and the remedy', `explain || true`],
    ['heal it', `fault clear`],
    ['hold a node still, and let it go on', `party pause carol && stack party resume carol`],
    ['make no blocks, and go on', `chain pause && stack chain resume`],
    ['nothing is on its way any more', `wait --for idle`],
  ],
  testing: [
    ['assert what was decided, everywhere', `expect message tag=order confirmed on all`],
    [
      'several at once, for up to 10 s',
      `expect 'balance coins bob >= 1' 'order topic=orders same on all' --within 10s`,
    ],
    ['a whole chain of events, made and checked', `trigger hello`],
    ['state to come back to', `snapshot save clean`],
    ['what happened since', `broadcast later && stack snapshot save later && stack snapshot diff clean later`],
    ['come back', `snapshot restore clean --yes`],
  ],
  ci: [
    [
      'a network for one command, gone with it; evidence is kept if it fails',
      `run -t minimal --dump ./artifacts -- sh -c 'echo "$STACK_ALICE_URL"'`,
    ],
    ['addresses as variables', `env --format dotenv`],
    ['everything about a stack, without its secrets', `dump ./artifacts`],
  ],
};
