import type { ComponentType } from 'react'
import type { Presentation } from '../resource/present.tsx'
import type { Resource } from '../resource/define.ts'
import type { UploadTarget } from '../upload/target.ts'
import type { ModuleDoor } from './define.ts'
import type { RecordFinder } from './find.ts'
import type { NoticeSource } from './notice.ts'

/** Fetches a screen's code when it is opened. */
export interface ScreenLoader {
  (): Promise<{ default: ComponentType }>
  /** The resource whose list the screen is; it opens one of its records by `?open=`. */
  readonly resource?: () => Promise<Resource>
  /** How it looks, where that differs from others. */
  readonly presentation?: () => Promise<Presentation>
}

/** A kind of record that can be shown and decided about away from its screen. */
export type RecordLoader = Required<Pick<ScreenLoader, 'resource'>> & Pick<ScreenLoader, 'presentation'>

/** What a module adds to the frame around the screens. */
interface Additions {
  /** Parts of the home page, shown to everybody. */
  readonly home: readonly ScreenLoader[]
  /** What it has to tell, for the bell. */
  readonly notices: readonly NoticeSource[]
  /** Records that the command palette finds. */
  readonly finders: readonly RecordFinder[]
  /** Records that wait for people and have no screen of their own, by the names of their resources. */
  readonly records: Readonly<Record<string, RecordLoader>>
  /** What stands beside the queue of the inbox for things that are only opened from there, by the names that their items give as resource. */
  readonly cases: Readonly<Record<string, ComponentType<{ id: number }>>>
  /** What becomes of files in the upload tray. */
  readonly uploads: readonly UploadTarget[]
}

export interface ConsoleModule extends Additions {
  readonly door: ModuleDoor
  readonly screens: Readonly<Record<string, ScreenLoader>>
}

/**
 * The browser half of a module: one loader for each screen of its door.
 * @example export default presentModule(door)({ '/new-study-room/partner': resourceScreen(() => import('./partner.ts').then((m) => m.partner)) })
 */
export function presentModule<Path extends string>(door: ModuleDoor<Path>): (screens: Readonly<Record<Path, ScreenLoader>>, additions?: Partial<Additions>) => ConsoleModule {
  return (screens, { home = [], notices = [], finders = [], records = {}, cases = {}, uploads = [] } = {}) => ({ door, screens, home, notices, finders, records, cases, uploads })
}

/** The standard screen of a resource: list, form, detail, import and export, changed where a presentation says so. */
export function resourceScreen(load: () => Promise<Resource>, presentation?: () => Promise<{ default: Presentation }>): ScreenLoader {
  const screen = async () => {
    const [resource, page, look] = await Promise.all([load(), import('../list/list-page.tsx'), presentation?.()])
    return { default: () => <page.ListPage resource={resource} presentation={look?.default ?? {}} /> }
  }
  return Object.assign(screen, { resource: load, ...(presentation && { presentation: () => presentation().then((file) => file.default) }) })
}

/** The standard screen of a resource that is one tree: the tree with its search, one node beside it. */
export function treeScreen(load: () => Promise<Resource>): ScreenLoader {
  return async () => {
    const [resource, { TreePage }] = await Promise.all([load(), import('../tree/tree-page.tsx')])
    return { default: () => <TreePage resource={resource} /> }
  }
}
