import type { Box } from './hotspot.ts'

/** A page of the demo, drawn: width and height are those of a large exercise book, in tenths of a millimetre. */
const WIDTH = 1850
const HEIGHT = 2600

/** A question of a page: where it stands, and its number. */
export interface DrawnQuestion extends Box { readonly no: string }

const LINES = ['已知集合的概念与表示，回答下列问题，写出必要的步骤。', '下列说法中正确的是（　　）', '求满足条件的实数的取值范围。', '如图所示，按要求完成作图并说明理由。']

/** Questions of a page, one below another. */
export const questionsOf = (page: number): DrawnQuestion[] => Array.from({ length: 4 }, (_, at) => ({ no: String((page - 1) * 4 + at + 1), x: 0.08, y: 0.14 + at * 0.2, w: 0.84, h: 0.17 }))

/** Draws a page as it would be printed. */
export function drawnPage(book: string, page: number): string {
  const words = questionsOf(page).map(({ no, x, y, h }, at) => `<text x="${x * WIDTH + 20}" y="${y * HEIGHT + 70}" font-size="44">${no}. ${LINES[(page + at) % LINES.length]}</text>
<path d="M${x * WIDTH + 80} ${(y + h) * HEIGHT - 130}h1380M${x * WIDTH + 80} ${(y + h) * HEIGHT - 60}h1380" stroke="#bbb" stroke-width="3" stroke-dasharray="6 10"/>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH / 2}" height="${HEIGHT / 2}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/><g fill="#222" font-family="SimSun, 'Noto Serif CJK SC', serif">
<text x="150" y="170" font-size="40">${book}</text><text x="1700" y="170" font-size="40" text-anchor="end">第 ${page} 页</text><path d="M150 200h1550" stroke="#222" stroke-width="3"/>${words}</g></svg>
`
}
