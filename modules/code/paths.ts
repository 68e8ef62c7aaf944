import { screens } from '../screens.ts'

/** Path of the screen of an id, for links between the two screens of a family. */
export function pathOf(id: number): string {
  return screens.find((screen) => screen.id === id)?.path ?? '/'
}
