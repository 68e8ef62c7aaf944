import type { LiveKind } from '../live/event.ts'

/** The door of a module: what others may know of it. */
export interface ModuleDoor<Path extends string = string> {
  /** Folder name. */
  readonly name: string
  readonly title: string
  /** Paths of the screens that it shows; a screen that no module shows is not in the menu. */
  readonly screens: readonly Path[]
  /** Kinds of events by which its consoles hear that records changed. */
  readonly live?: readonly LiveKind[]
}

/** Declares a module's door. */
export function defineModule<const Path extends string>(door: ModuleDoor<Path>): ModuleDoor<Path> {
  return door
}
