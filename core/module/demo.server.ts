import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { openFileStore } from '../file/store.server.ts'
import { demoProgress, type DemoProgress } from './demo-progress.ts'
import { makePart, partsDone, SILENT } from './parts.server.ts'
import type { DemoPart, ServerModule } from './serve.server.ts'

interface NamedPart extends DemoPart {
  readonly key: string
  /** Key of the module's last part: when that is there, all of them are. */
  readonly last: string
}

/** The parts of all demos, in the order in which they are made. */
function partsOf(modules: readonly ServerModule[]): NamedPart[] {
  return modules.flatMap(({ door, demo }) => {
    if (!demo) return []
    const parts = typeof demo === 'function' ? [{ title: door.title, run: demo }] : demo
    const last = `demo ${door.name}`
    return parts.map(({ title, run }, place) => ({ title, run, last, key: place === parts.length - 1 ? last : `${last} ${title}` }))
  })
}

/** Milliseconds between two looks at who is still being answered, how long nobody may have asked, and how long others may take. */
const LOOK = 20
const QUIET = 200
const MOST = 5000

const missing = (parts: readonly NamedPart[], done: ReadonlySet<string>) => parts.filter(({ key, last }) => !done.has(key) && !done.has(last))

/** Makes the demo, part by part, while the product already answers. */
export class DemoFilling {
  #progress: DemoProgress | undefined
  #stopped = false
  #running: Promise<boolean> = Promise.resolve(true)
  #parts: readonly NamedPart[] = []
  readonly #asked = new Set<unknown>()

  /** Undefined while nothing is being made. */
  get progress(): DemoProgress | undefined {
    return this.#progress
  }

  /**
   * Looks at what is missing. From then on `progress` says that the demo is being made, until `run` has ended: called before
   * anybody is answered, so that nobody writes in its way.
   * @returns whether anything is missing
   */
  async prepare(config: Config, db: Database, modules: readonly ServerModule[]): Promise<boolean> {
    this.#parts = config.demo ? partsOf(modules) : []
    const [first, ...others] = missing(this.#parts, await partsDone(db))
    if (first) this.#progress = { done: this.#parts.length - 1 - others.length, total: this.#parts.length, what: first.title }
    return first !== undefined
  }

  /**
   * Makes what is missing. One process does it, the others wait for it.
   * @returns whether all of it is there now
   */
  async run(config: Config, db: Database, report: (text: string) => void): Promise<boolean> {
    const parts = this.#parts
    this.#running = db.exclusive('demo', async () => {
      const left = missing(parts, await partsDone(db))
      for (const [place, { key, title, run }] of left.entries()) {
        await this.#letOthers()
        if (this.#stopped) return false
        this.#progress = { done: parts.length - left.length + place, total: parts.length, what: title }
        await makePart(db, SILENT, key, async (joined) => run(joined, report, await openFileStore(config, joined)))
      }
      // Tables that were empty a moment ago: without counts of what they hold now, joins are planned as if they still were.
      if (left.length > 0) await db.script('analyze')
      return true
    })
    try {
      return await this.#running
    } finally {
      this.#progress = undefined
    }
  }

  /** Watches who asks something, but for those who keep listening. */
  attach(http: FastifyInstance, streams: readonly string[]): void {
    http.addHook('onRequest', async (request, reply) => {
      if (!this.#progress || streams.includes(request.routeOptions.url ?? '')) return
      this.#asked.add(request)
      reply.raw.once('close', () => this.#asked.delete(request))
    })
  }

  /**
   * Lets those who wait have what they came for before the next part begins: on the embedded database each of the ten
   * statements of a login would wait for a part of its own.
   */
  async #letOthers(): Promise<void> {
    const began = performance.now()
    let last = this.#asked.size > 0 ? began : -Infinity
    while (performance.now() - last < QUIET && performance.now() - began < MOST) {
      await new Promise((resolve) => setTimeout(resolve, LOOK))
      if (this.#asked.size > 0) last = performance.now()
    }
  }

  /** Begins no further part, and waits for the one that is being made. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running.catch(() => false)
  }
}

/** The call by which the console says how far the demo is. */
export const demoProgressCall = (filling: DemoFilling): Served => handle(demoProgress, () => Promise.resolve({ progress: filling.progress ?? null }))
