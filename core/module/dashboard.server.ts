import { handle, type Served } from '../endpoint/serve.server.ts'
import type { Resource } from '../resource/define.ts'
import { readTotal } from '../resource/list.server.ts'
import { dashboard } from './dashboard.ts'
import type { Tile } from './serve.server.ts'

/**
 * A tile that counts what a list shows. The number and the screen behind it agree, because one query makes both.
 * @param tile.path screen of the list
 * @param tile.query filters of the list, as they stand in its address; `now` is in unix seconds
 */
export function listTile(resource: Resource, { path, query, ...tile }: Pick<Tile, 'name' | 'title' | 'tone'> & {
  path: string
  query: (now: number) => Readonly<Record<string, string>>
}): Tile {
  return {
    ...tile,
    grant: resource.grant,
    to: (now) => `${path}?${new URLSearchParams(query(now)).toString()}`,
    count: (db, staff, now) => readTotal(db, resource, staff, query(now)),
  }
}

/** The call for the numbers of the home page. */
export function dashboardCall(tiles: readonly Tile[]): Served {
  return handle(dashboard, async ({ db, staff }) => {
    const now = Math.floor(Date.now() / 1000)
    const held = tiles.filter(({ grant }) => grant === undefined || staff.modules.has(grant))
    return {
      tiles: await Promise.all(held.map(async ({ name, title, tone, to, count }) => ({ name, title, tone: tone ?? 'plain', to: to(now), count: await count(db, staff, now) }))),
    }
  })
}
