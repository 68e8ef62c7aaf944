/** npm run bench: every benchmark in turn, each beside what it is compared with, in one run. */
import { bootstrap, run } from './bootstrap.mjs'

const node = bootstrap()
const wanted = process.argv.slice(2)
for (const name of ['console', 'start', 'transfer', 'api', 'shell', 'smart', 'paper', 'orders', 'codes', 'qr', 'practice', 'tree', 'editor']) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n== ${name}`)
  const code = await run(node, [`bench/${name}.ts`])
  if (code !== 0) process.exit(code)
}
