import { pinyin } from 'pinyin-pro'

const known = new Map<string, string>()

/** How a character sounds, without its tone. One reading of each: word and text are read in the same way. */
export function soundOf(char: string): string {
  let sound = known.get(char)
  if (sound === undefined) known.set(char, sound = /\p{Script=Han}/u.test(char) ? pinyin(char, { toneType: 'none' }) : char)
  return sound
}
