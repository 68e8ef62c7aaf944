import type { LineScreen, ProductLine } from '../reference/module.ts'

/** Address of a screen with a query of its own, which may already have one. */
export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** Path of a screen of a line; undefined where it has none. */
export function linePath({ path, screens }: Pick<ProductLine, 'path' | 'screens'>, screen: LineScreen): string | undefined {
  const own = screens[screen]
  return own && `${path}/${own}`
}

/** Path of the screen of a line's courses: one whose lessons are chosen sets keeps them in the place of outlines; undefined where they stand beside something else. */
export const coursePath = (line: Pick<ProductLine, 'path' | 'screens' | 'content'>): string | undefined => linePath(line, 'offer') ?? (line.content === 'sets' ? linePath(line, 'outline') : undefined)

/** Path of the screen of a line's outlines; a line whose lessons are chosen sets has none. */
export const outlinePathOf = (line: Pick<ProductLine, 'path' | 'screens' | 'content'>): string | undefined => (line.content === 'outline' ? linePath(line, 'outline') : undefined)
