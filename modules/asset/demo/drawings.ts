/** A picture of the library: what it is called, where it belongs, and how it is drawn. */
export interface Drawing {
  readonly name: string
  readonly tags: readonly string[]
  readonly svg: string
}

const WIDTH = 480
const HEIGHT = 320
/** Pixels of one unit of the axes. */
const UNIT = 40
const [X0, Y0] = [WIDTH / 2, HEIGHT / 2]

const draw = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>${body}</svg>`
const text = (x: number, y: number, words: string, size = 16) => `<text x="${x}" y="${y}" font-family="serif" font-size="${size}" font-style="italic" fill="#222">${words}</text>`
const line = (x1: number, y1: number, x2: number, y2: number, dash = '') => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#222" stroke-width="1.5"${dash && ` stroke-dasharray="${dash}"`}/>`
const AXES = `${line(20, Y0, WIDTH - 20, Y0)}${line(X0, HEIGHT - 15, X0, 15)}<path d="M${WIDTH - 20} ${Y0}l-8-4v8zM${X0} 15l-4 8h8z" fill="#222"/>${text(WIDTH - 30, Y0 + 20, 'x')}${text(X0 + 8, 26, 'y')}${text(X0 - 16, Y0 + 18, 'O')}`

/** The graph of a function between two values of x; where it leaves the picture it is cut. */
function graph(f: (x: number) => number, from = -5.5, to = 5.5): string {
  let path = ''
  let pen = 'M'
  for (let x = from; x <= to; x += 0.05) {
    const y = Y0 - f(x) * UNIT
    if (!Number.isFinite(y) || y < 5 || y > HEIGHT - 5) {
      pen = 'M'
      continue
    }
    path += `${pen}${(X0 + x * UNIT).toFixed(1)} ${y.toFixed(1)}`
    pen = 'L'
  }
  return `<path d="${path}" fill="none" stroke="#1f5fbf" stroke-width="2.5"/>`
}

const FUNCTIONS: readonly (readonly [name: string, label: string, tag: string, f: (x: number) => number])[] = [
  ['一次函数 y=x+1', 'y=x+1', '函数的概念', (x) => x + 1], ['一次函数 y=-2x+1', 'y=-2x+1', '函数的概念', (x) => -2 * x + 1],
  ['反比例函数 y=2/x', 'y=2/x', '函数的概念', (x) => 2 / x], ['反比例函数 y=-1/x', 'y=-1/x', '函数的概念', (x) => -1 / x],
  ['二次函数 y=x²-2', 'y=x²-2', '函数的概念', (x) => x * x - 2], ['二次函数 y=-x²/2+2', 'y=-x²/2+2', '函数的概念', (x) => (-x * x) / 2 + 2], ['二次函数 y=(x-1)²-3', 'y=(x-1)²-3', '函数的概念', (x) => (x - 1) ** 2 - 3],
  ['绝对值函数 y=|x|', 'y=|x|', '函数的性质', Math.abs], ['绝对值函数 y=|x-1|-2', 'y=|x-1|-2', '函数的性质', (x) => Math.abs(x - 1) - 2], ['对勾函数 y=x+1/x', 'y=x+1/x', '函数的性质', (x) => x + 1 / x],
  ['幂函数 y=x³', 'y=x³', '函数的性质', (x) => x ** 3], ['幂函数 y=√x', 'y=√x', '函数的性质', (x) => (x < 0 ? Number.NaN : Math.sqrt(x))],
  ['指数函数 y=2ˣ', 'y=2ˣ', '指数函数与对数函数', (x) => 2 ** x], ['指数函数 y=(1/2)ˣ', 'y=(1/2)ˣ', '指数函数与对数函数', (x) => 0.5 ** x], ['指数函数 y=3ˣ-1', 'y=3ˣ-1', '指数函数与对数函数', (x) => 3 ** x - 1],
  ['对数函数 y=log₂x', 'y=log₂x', '指数函数与对数函数', Math.log2], ['对数函数 y=lnx', 'y=lnx', '指数函数与对数函数', Math.log], ['对数函数 y=lg(x+2)', 'y=lg(x+2)', '指数函数与对数函数', (x) => Math.log10(x + 2)],
  ['正弦曲线 y=sinx', 'y=sinx', '三角函数', Math.sin], ['余弦曲线 y=cosx', 'y=cosx', '三角函数', Math.cos], ['正切曲线 y=tanx', 'y=tanx', '三角函数', Math.tan], ['正弦型曲线 y=2sin(2x)', 'y=2sin(2x)', '三角函数', (x) => 2 * Math.sin(2 * x)], ['正弦型曲线 y=sin(x+π/3)', 'y=sin(x+π/3)', '三角函数', (x) => Math.sin(x + Math.PI / 3)],
]

/** A triangle by its corners, with their letters. */
function triangle(name: string, corners: readonly (readonly [number, number])[], more = ''): Drawing {
  const outside = ([x, y]: readonly [number, number]) => [x + (x < X0 ? -20 : 8), y + (y < Y0 ? -8 : 22)] as const
  return {
    name, tags: ['平面几何', '三角形'],
    svg: draw(`<polygon points="${corners.map((corner) => corner.join(',')).join(' ')}" fill="none" stroke="#222" stroke-width="2"/>${corners.map((corner, index) => text(...outside(corner), 'ABC'[index] ?? '')).join('')}${more}`),
  }
}

const circle = (name: string, more: string): Drawing => ({ name, tags: ['平面几何', '圆'], svg: draw(`<circle cx="${X0}" cy="${Y0}" r="110" fill="none" stroke="#222" stroke-width="2"/><circle cx="${X0}" cy="${Y0}" r="3"/>${text(X0 + 8, Y0 - 6, 'O')}${more}`) })

/** A number line with a set on it; round ends are left out of the set. */
function interval(name: string, from: number, to: number, fromIn: boolean, toIn: boolean): Drawing {
  const [a, b] = [X0 + from * UNIT, X0 + to * UNIT]
  const ticks = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((n) => `${line(X0 + n * UNIT, Y0 - 5, X0 + n * UNIT, Y0)}${text(X0 + n * UNIT - 5, Y0 + 22, String(n), 14)}`).join('')
  const end = (x: number, inside: boolean) => `<circle cx="${x}" cy="${Y0 - 40}" r="5" fill="${inside ? '#1f5fbf' : '#fff'}" stroke="#1f5fbf" stroke-width="2"/>`
  return { name, tags: ['必修第一册', '集合与常用逻辑用语'], svg: draw(`${line(20, Y0, WIDTH - 20, Y0)}<path d="M${WIDTH - 20} ${Y0}l-8-4v8z"/>${ticks}<path d="M${a} ${Y0}V${Y0 - 40}H${b}V${Y0}" fill="none" stroke="#1f5fbf" stroke-width="2"/>${end(a, fromIn)}${end(b, toIn)}`) }
}

/** Pictures that teachers of mathematics put into lessons and papers. */
export const DRAWINGS: readonly Drawing[] = [
  ...FUNCTIONS.map(([name, label, tag, f]): Drawing => ({ name: `${name} 的图象`, tags: ['必修第一册', tag], svg: draw(`${AXES}${graph(f)}${text(24, 34, label, 18)}`) })),
  triangle('等腰三角形', [[240, 50], [140, 260], [340, 260]]),
  triangle('直角三角形', [[140, 60], [140, 260], [380, 260]], '<path d="M140 244h16v16" fill="none" stroke="#222"/>'),
  triangle('等边三角形', [[240, 56], [122, 260], [358, 260]]),
  triangle('钝角三角形及其高', [[90, 80], [190, 260], [400, 260]], `${line(90, 80, 90, 260, '6 4')}${line(90, 260, 190, 260, '6 4')}`),
  triangle('三角形的中线', [[200, 60], [100, 260], [380, 260]], line(200, 60, 240, 260)),
  triangle('三角形的中位线', [[220, 60], [100, 260], [380, 260]], line(160, 160, 300, 160)),
  circle('圆与半径', `${line(X0, Y0, X0 + 95, Y0 + 55)}${text(X0 + 40, Y0 + 50, 'r')}`),
  circle('圆与弦、垂径定理', `${line(X0 - 88, Y0 + 66, X0 + 88, Y0 + 66)}${line(X0, Y0, X0, Y0 + 66, '6 4')}`),
  circle('圆的切线', `${line(X0 - 160, Y0 - 110, X0 + 160, Y0 - 110)}${line(X0, Y0, X0, Y0 - 110, '6 4')}`),
  circle('圆周角与圆心角', `${line(X0 - 95, Y0 + 55, X0, Y0)}${line(X0 + 95, Y0 + 55, X0, Y0)}${line(X0 - 95, Y0 + 55, X0, Y0 - 110)}${line(X0 + 95, Y0 + 55, X0, Y0 - 110)}`),
  interval('数轴表示 (-2,3]', -2, 3, false, true), interval('数轴表示 [-1,2)', -1, 2, true, false), interval('数轴表示 [-3,1]', -3, 1, true, true), interval('数轴表示 (0,4)', 0, 4, false, false),
]

/** The first picture of a lesson: its subject and title. */
export const titleCard = (subject: string, title: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360"><rect width="640" height="360" fill="#1d3b6e"/><rect x="48" y="96" width="6" height="120" fill="#f2b134"/><text x="76" y="136" font-family="sans-serif" font-size="26" fill="#c9d6ee">${subject}</text><text x="76" y="200" font-family="sans-serif" font-size="${title.length > 12 ? 34 : 46}" fill="#fff">${title}</text></svg>`
