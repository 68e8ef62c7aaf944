/** node scripts/run.mjs <script> [argument …]: runs a script of ours with the pinned Node, whatever Node is installed. */
import { bootstrap, run } from './bootstrap.mjs'

process.exit(await run(bootstrap(), process.argv.slice(2)))
