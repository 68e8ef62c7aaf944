import type { Random } from '../../../core/setup/random.ts'
import { blanks, free, several, single, type Made } from './build.ts'

export type Template = (random: Random) => Omit<Made, 'content'> & { content: Made['content'] | undefined }

const set = (items: readonly number[]) => `\\{${items.join(',')}\\}`
const signed = (n: number) => (n < 0 ? `-${-n}` : `+${n}`)
/** A term in front: 1 and -1 are not written. */
const lead = (n: number, what: string) => (n === 1 ? what : n === -1 ? `-${what}` : `${n}${what}`)
const term = (n: number, what: string) => (n === 0 ? '' : n > 0 ? `+${lead(n, what)}` : lead(n, what))
const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
function fraction(a: number, b: number): string {
  const d = gcd(a, b) * (b < 0 ? -1 : 1)
  return b / d === 1 ? String(a / d) : `${a / d < 0 ? '-' : ''}\\dfrac{${Math.abs(a / d)}}{${b / d}}`
}
const nonzero = (random: Random, low: number, high: number) => random.int(low, high) || 1

export const SENIOR_MATHS: readonly Template[] = [
  (r) => {
    const n = r.int(5, 8)
    const all = Array.from({ length: n }, (_, i) => i + 1)
    const out = all.filter(() => r.chance(0.4)).slice(0, n - 2)
    const a = all.filter((x) => !out.includes(x))
    const inside = a[r.int(0, a.length - 1)] ?? 1
    return {
      topic: '集合与常用逻辑用语', subtopic: '集合的基本运算', difficulty: 5,
      content: out.length < 2 ? undefined : single(r, `设全集 $U=${set(all)}$，集合 $M$ 满足 $\\complement_{U}M=${set(out)}$，则（　）`, `$${inside}\\in M$`, [`$${out[0]}\\in M$`, `$${inside}\\notin M$`, `$${out[1]}\\in M$`], `由题知 $M=${set(a)}$，所以 $${inside}\\in M$．`),
    }
  },
  (r) => {
    const [p, q] = [r.int(-5, 0), r.int(1, 6)]
    const b = Array.from({ length: 5 }, (_, i) => p - 1 + i + r.int(0, 1))
    const cut = b.filter((x) => x > p && x < q)
    return {
      topic: '集合与常用逻辑用语', subtopic: '集合的基本运算', difficulty: 4,
      content: new Set(b).size < 5 ? undefined : single(r, `已知集合 $A=\\{x\\mid x^2${term(-(p + q), 'x')}${p * q === 0 ? '' : signed(p * q)}<0\\}$，$B=${set(b)}$，则 $A\\cap B=$（　）`, `$${cut.length ? set(cut) : '\\varnothing'}$`, [`$${set([...cut, q])}$`, `$${set([p, ...cut])}$`, `$${set(b)}$`], `由 $x^2${term(-(p + q), 'x')}${p * q === 0 ? '' : signed(p * q)}<0$ 得 $${p}<x<${q}$，故 $A\\cap B=${cut.length ? set(cut) : '\\varnothing'}$．`),
    }
  },
  (r) => {
    const [a, d, n] = [r.int(-6, 9), nonzero(r, -4, 6), r.int(6, 15)]
    return { topic: '数列', subtopic: '等差数列', difficulty: 4, content: blanks(`已知等差数列 $\\{a_n\\}$ 中，$a_1=${a}$，公差 $d=${d}$，则 $a_{${n}}=$____，前 $${n}$ 项和 $S_{${n}}=$____．`, [[String(a + (n - 1) * d)], [String(n * a + (n * (n - 1) / 2) * d)]], `$a_{${n}}=a_1+${n - 1}d=${a + (n - 1) * d}$，$S_{${n}}=${n}a_1+\\dfrac{${n}\\times ${n - 1}}{2}d=${n * a + (n * (n - 1) / 2) * d}$．`) }
  },
  (r) => {
    const [a, q, n] = [r.int(1, 5), r.pick([2, 3, -2]), r.int(4, 6)]
    const s = a * (1 - q ** n) / (1 - q)
    return { topic: '数列', subtopic: '等比数列', difficulty: 3, content: single(r, `记 $S_n$ 为等比数列 $\\{a_n\\}$ 的前 $n$ 项和．若 $a_1=${a}$，公比 $q=${q}$，则 $S_{${n}}=$（　）`, `$${s}$`, [`$${a * q ** n}$`, `$${a * q ** (n - 1)}$`, `$${s + a}$`], `$S_{${n}}=\\dfrac{a_1(1-q^{${n}})}{1-q}=${s}$．`) }
  },
  (r) => {
    const [a, b, x0] = [r.int(1, 4), r.int(-6, 6), r.int(-2, 3)]
    const slope = 3 * a * x0 * x0 + b
    const y = a * x0 ** 3 + b * x0
    return { topic: '导数及其应用', subtopic: '导数的运算', difficulty: 3, content: blanks(`曲线 $y=${lead(a, 'x^3')}${term(b, 'x')}$ 在点 $(${x0},${y})$ 处的切线的斜率为____．`, [[String(slope)]], `$y'=${3 * a}x^2${b === 0 ? '' : signed(b)}$，当 $x=${x0}$ 时，$y'=${slope}$．`) }
  },
  (r) => {
    const m = r.int(1, 4)
    return {
      topic: '导数及其应用', subtopic: '导数与单调性', difficulty: 2,
      content: free(`已知函数 $f(x)=x^3-${3 * m * m}x+${r.int(1, 9)}$．\n（1）求 $f(x)$ 的单调区间；\n（2）若方程 $f(x)=k$ 有三个不同的实根，求 $k$ 的取值范围的长度．`, [[`$f(x)$ 在 $(-\\infty,-${m})$ 和 $(${m},+\\infty)$ 上单调递增，在 $(-${m},${m})$ 上单调递减．`, 6], [`取值范围的长度为 $${4 * m ** 3}$．`, 6]],
        `（1）$f'(x)=3x^2-${3 * m * m}=3(x+${m})(x-${m})$，由 $f'(x)$ 的符号得单调区间．\n（2）极大值 $f(-${m})$ 与极小值 $f(${m})$ 之差为 $${4 * m ** 3}$，$k$ 介于两者之间．`),
    }
  },
  (r) => {
    const [x1, y1, x2, y2] = [nonzero(r, -5, 5), r.int(-5, 5), r.int(-5, 5), nonzero(r, -5, 5)]
    const dot = x1 * x2 + y1 * y2
    return { topic: '平面向量', subtopic: '向量的数量积', difficulty: 5, content: single(r, `已知向量 $\\boldsymbol a=(${x1},${y1})$，$\\boldsymbol b=(${x2},${y2})$，则 $\\boldsymbol a\\cdot\\boldsymbol b=$（　）`, `$${dot}$`, [`$${x1 * x2 - y1 * y2}$`, `$${x1 * y2 + x2 * y1}$`, `$${dot + x1}$`], `$\\boldsymbol a\\cdot\\boldsymbol b=${x1}\\times(${x2})+(${y1})\\times(${y2})=${dot}$．`) }
  },
  (r) => {
    const [x1, y1, k] = [nonzero(r, -4, 4), nonzero(r, -4, 4), r.int(2, 6)]
    return { topic: '平面向量', subtopic: '向量的坐标运算', difficulty: 4, content: blanks(`已知向量 $\\boldsymbol a=(${x1},${y1})$，$\\boldsymbol b=(m,${y1 * k})$．若 $\\boldsymbol a\\parallel\\boldsymbol b$，则 $m=$____．`, [[String(x1 * k)]], `由 $${x1}\\times(${y1 * k})=${y1}m$ 得 $m=${x1 * k}$．`) }
  },
  (r) => {
    const [a, b, c, d] = [nonzero(r, -4, 5), nonzero(r, -5, 5), nonzero(r, -3, 4), nonzero(r, -4, 4)]
    const [re, im] = [a * c - b * d, a * d + b * c]
    const z = (x: number, y: number) => `${x}${term(y, '\\mathrm i')}`
    return { topic: '复数', subtopic: '复数的四则运算', difficulty: 5, content: single(r, `$(${z(a, b)})(${z(c, d)})=$（　）`, `$${z(re, im)}$`, [`$${z(a * c + b * d, im)}$`, `$${z(re, -im)}$`, `$${z(-re, im)}$`], `$(${z(a, b)})(${z(c, d)})=${a * c}${term(a * d, '\\mathrm i')}${term(b * c, '\\mathrm i')}${term(b * d, '\\mathrm i^2')}=${z(re, im)}$．`) }
  },
  (r) => {
    const [base, p] = [r.pick([2, 3, 5]), r.int(2, 6)]
    const q = r.int(1, p - 1)
    return { topic: '指数函数与对数函数', subtopic: '对数运算', difficulty: 5, content: blanks(`计算：$\\log_{${base}}${base ** p}-\\log_{${base}}${base ** q}+${base}^{\\log_{${base}}${p + q}}=$____．`, [[String(2 * p)]], `原式 $=${p}-${q}+${p + q}=${2 * p}$．`) }
  },
  (r) => {
    const [a, b] = r.pick([[5, 3], [5, 4], [13, 12], [13, 5], [10, 6], [10, 8], [17, 8], [25, 7]] as const)
    const c = Math.round(Math.sqrt(a * a - b * b))
    return { topic: '圆锥曲线', subtopic: '椭圆', difficulty: 4, content: single(r, `椭圆 $\\dfrac{x^2}{${a * a}}+\\dfrac{y^2}{${b * b}}=1$ 的离心率为（　）`, `$${fraction(c, a)}$`, [`$${fraction(b, a)}$`, `$${fraction(c, b)}$`, `$${fraction(a, c)}$`], `$a=${a}$，$b=${b}$，$c=\\sqrt{a^2-b^2}=${c}$，故 $e=\\dfrac{c}{a}=${fraction(c, a)}$．`) }
  },
  (r) => {
    const [x, y, k] = [r.int(-5, 5), r.int(-5, 5), r.int(1, 9)]
    return { topic: '直线与圆', subtopic: '圆的方程', difficulty: 4, content: blanks(`圆 $x^2+y^2${term(-2 * x, 'x')}${term(-2 * y, 'y')}${x * x + y * y - k * k === 0 ? '' : signed(x * x + y * y - k * k)}=0$ 的圆心坐标为____，半径为____．`, [[`$(${x},${y})$`], [String(k)]], `配方得 $(x${x === 0 ? '' : signed(-x)})^2+(y${y === 0 ? '' : signed(-y)})^2=${k * k}$．`) }
  },
  (r) => {
    const [red, white] = [r.int(2, 6), r.int(2, 6)]
    const n = red + white
    return { topic: '概率', subtopic: '古典概型', difficulty: 4, content: single(r, `袋中有大小、质地相同的 $${red}$ 个红球和 $${white}$ 个白球，从中不放回地依次随机摸出 $2$ 个球，则两个球都是红球的概率为（　）`, `$${fraction(red * (red - 1), n * (n - 1))}$`, [`$${fraction(red * red, n * n)}$`, `$${fraction(red * white, n * (n - 1))}$`, `$${fraction(white * (white - 1), n * (n - 1))}$`], `$P=\\dfrac{${red}}{${n}}\\times\\dfrac{${red - 1}}{${n - 1}}=${fraction(red * (red - 1), n * (n - 1))}$．`) }
  },
  (r) => {
    const [n, k] = [r.int(4, 8), r.int(1, 3)]
    const choose = (m: number, j: number): number => (j === 0 ? 1 : choose(m - 1, j - 1) * m / j)
    const a = r.int(2, 3)
    return { topic: '计数原理', subtopic: '二项式定理', difficulty: 3, content: blanks(`$(1+${a}x)^{${n}}$ 的展开式中 $x^{${k}}$ 的系数为____．`, [[String(choose(n, k) * a ** k)]], `$T_{${k + 1}}=\\mathrm C_{${n}}^{${k}}\\cdot ${a}^{${k}}x^{${k}}$，系数为 $${choose(n, k) * a ** k}$．`) }
  },
  (r) => {
    const [w, p] = [r.int(1, 4), r.pick(['\\dfrac{\\pi}{3}', '\\dfrac{\\pi}{4}', '\\dfrac{\\pi}{6}'])]
    const a = r.int(2, 5)
    return {
      topic: '三角函数', subtopic: '三角函数的图象与性质', difficulty: 3,
      content: several(r, `已知函数 $f(x)=${a}\\sin\\left(${lead(w, 'x')}+${p}\\right)$，则下列结论正确的有（　）`, [`$f(x)$ 的最大值为 $${a}$`, `$f(x)$ 的最小正周期为 $${fraction(2, w) === '1' ? '' : fraction(2, w)}\\pi$`], [`$f(x)$ 是奇函数`, `$f(x)$ 的最小值为 $0$`], `$|f(x)|\\le ${a}$，周期 $T=\\dfrac{2\\pi}{${w}}$；$f(0)\\ne 0$，不是奇函数．`),
    }
  },
  (r) => {
    const [a, b] = [r.int(1, 6), r.int(1, 6)]
    return { topic: '一元二次函数与不等式', subtopic: '基本不等式', difficulty: 3, content: blanks(`已知 $x>0$，则 $${lead(a * a, 'x')}+\\dfrac{${b * b}}{x}$ 的最小值为____．`, [[String(2 * a * b)]], `由基本不等式，$${lead(a * a, 'x')}+\\dfrac{${b * b}}{x}\\ge 2\\sqrt{${a * a * b * b}}=${2 * a * b}$，当且仅当 $x=${fraction(b, a)}$ 时等号成立．`) }
  },
  (r) => {
    const [h, s] = [r.int(2, 9), r.int(2, 9)]
    return { topic: '立体几何初步', subtopic: '表面积与体积', difficulty: 4, content: single(r, `已知圆锥的底面半径为 $${s}$，高为 $${h}$，则该圆锥的体积为（　）`, `$${fraction(s * s * h, 3)}\\pi$`, [`$${s * s * h}\\pi$`, `$${fraction(s * s * h, 2)}\\pi$`, `$${fraction(2 * s * s * h, 3)}\\pi$`], `$V=\\dfrac13\\pi r^2h=${fraction(s * s * h, 3)}\\pi$．`) }
  },
  (r) => {
    const scores = Array.from({ length: 6 }, () => r.int(70, 99))
    const mean = scores.reduce((sum, x) => sum + x, 0) / 6
    return { topic: '统计', subtopic: '用样本估计总体', difficulty: 5, content: Number.isInteger(mean * 2) ? blanks(`某同学六次测验的成绩分别为 $${scores.join('，')}$，则这组数据的平均数为____，极差为____．`, [[String(mean)], [String(Math.max(...scores) - Math.min(...scores))]], `平均数为 $${mean}$，最大值与最小值之差为 $${Math.max(...scores) - Math.min(...scores)}$．`) : undefined }
  },
]

export const JUNIOR_MATHS: readonly Template[] = [
  (r) => {
    const [a, b, c] = [r.int(-20, 20), r.int(-9, 9), r.int(2, 9)]
    return { topic: '有理数', subtopic: '有理数的乘除法', difficulty: 5, content: blanks(`计算：$(${a})+(${b})\\times ${c}=$____．`, [[String(a + b * c)]], `先算乘法：$(${b})\\times ${c}=${b * c}$，再算加法得 $${a + b * c}$．`, 3) }
  },
  (r) => {
    const n = r.int(2, 30)
    return { topic: '有理数', subtopic: '相反数与绝对值', difficulty: 5, content: single(r, `$-${n}$ 的相反数是（　）`, `$${n}$`, [`$-${n}$`, `$\\dfrac{1}{${n}}$`, `$-\\dfrac{1}{${n}}$`], `只有符号不同的两个数互为相反数，$-${n}$ 的相反数是 $${n}$．`, 3) }
  },
  (r) => {
    const [m, e] = [r.int(101, 999), r.int(4, 9)]
    const text = `${m}${'0'.repeat(e - 2)}`
    return { topic: '有理数', subtopic: '科学记数法', difficulty: 5, content: single(r, `某市去年接待游客约 $${text}$ 人次．数据 $${text}$ 用科学记数法表示为（　）`, `$${m / 100}\\times 10^{${e}}$`, [`$${m / 10}\\times 10^{${e - 1}}$`, `$${m / 100}\\times 10^{${e + 1}}$`, `$0.${m}\\times 10^{${e + 1}}$`], `科学记数法写成 $a\\times 10^n$，$1\\le a<10$．`, 3) }
  },
  (r) => {
    const [x, a, b] = [r.int(-8, 12), r.int(2, 9), nonzero(r, -15, 15)]
    return { topic: '一元一次方程', subtopic: '解一元一次方程', difficulty: 5, content: blanks(`方程 $${a}x${signed(b)}=${a * x + b}$ 的解为 $x=$____．`, [[String(x)]], `移项得 $${a}x=${a * x}$，系数化为 $1$ 得 $x=${x}$．`, 3) }
  },
  (r) => {
    const [price, off, n] = [r.int(4, 20) * 10, r.int(6, 9), r.int(3, 12)]
    return { topic: '一元一次方程', subtopic: '实际问题与一元一次方程', difficulty: 3, content: free(`某商品的标价为每件 $${price}$ 元，商店按标价的 ${off} 折销售．小明一共付款 $${price * off * n / 10}$ 元，他买了多少件？`, [[`小明买了 $${n}$ 件．`, 6]], `设小明买了 $x$ 件，则 $${price}\\times 0.${off}x=${price * off * n / 10}$，解得 $x=${n}$．`) }
  },
  (r) => {
    const [a, b, c] = r.pick([[3, 4, 5], [5, 12, 13], [8, 15, 17], [7, 24, 25], [6, 8, 10], [9, 12, 15], [9, 40, 41], [20, 21, 29], [12, 16, 20], [10, 24, 26]] as const)
    return { topic: '勾股定理', subtopic: '勾股定理', difficulty: 5, content: blanks(`在 $\\mathrm{Rt}\\triangle ABC$ 中，$\\angle C=90^\\circ$，$AC=${a}$，$BC=${b}$，则 $AB=$____．`, [[String(c)]], `由勾股定理，$AB=\\sqrt{${a}^2+${b}^2}=${c}$．`, 3) }
  },
  (r) => {
    const [p, q] = [nonzero(r, -6, 6), nonzero(r, -6, 6)]
    return { topic: '一元二次方程', subtopic: '因式分解法', difficulty: 4, content: single(r, `一元二次方程 $x^2${term(-(p + q), 'x')}${signed(p * q)}=0$ 的根为（　）`, `$x_1=${Math.min(p, q)}$，$x_2=${Math.max(p, q)}$`, [`$x_1=${-Math.max(p, q)}$，$x_2=${-Math.min(p, q)}$`, `$x_1=${Math.min(p, q)}$，$x_2=${-Math.max(p, q)}$`, `无实数根`], `因式分解得 $(x${signed(-p)})(x${signed(-q)})=0$．`, 3) }
  },
  (r) => {
    const [k, b] = [nonzero(r, -5, 5), nonzero(r, -6, 6)]
    const quadrants = k > 0 ? (b > 0 ? '第一、二、三象限' : '第一、三、四象限') : (b > 0 ? '第一、二、四象限' : '第二、三、四象限')
    const all = ['第一、二、三象限', '第一、三、四象限', '第一、二、四象限', '第二、三、四象限']
    return { topic: '一次函数', subtopic: '一次函数的图象', difficulty: 4, content: single(r, `一次函数 $y=${lead(k, 'x')}${signed(b)}$ 的图象经过（　）`, quadrants, all.filter((text) => text !== quadrants), `$k${k > 0 ? '>' : '<'}0$，$b${b > 0 ? '>' : '<'}0$，图象经过${quadrants}．`, 3) }
  },
  (r) => {
    const [a, h, k] = [nonzero(r, -3, 3), r.int(-5, 5), r.int(-6, 6)]
    return { topic: '二次函数', subtopic: '二次函数的性质', difficulty: 4, content: blanks(`抛物线 $y=${lead(a, `(x${h === 0 ? '' : signed(-h)})^2`)}${k === 0 ? '' : signed(k)}$ 的顶点坐标为____，对称轴为直线____．`, [[`$(${h},${k})$`], [`$x=${h}$`]], `由顶点式得顶点为 $(${h},${k})$，对称轴为直线 $x=${h}$．`, 4) }
  },
  (r) => {
    const [x, y] = [r.int(-6, 8), r.int(-6, 8)]
    return { topic: '二元一次方程组', subtopic: '加减消元法', difficulty: 4, content: free(`解方程组：$\\begin{cases}x+y=${x + y},\\\\2x-y=${2 * x - y}.\\end{cases}$`, [[`$\\begin{cases}x=${x},\\\\y=${y}.\\end{cases}$`, 6]], `两式相加得 $3x=${3 * x}$，$x=${x}$；代入得 $y=${y}$．`) }
  },
  (r) => {
    const n = r.int(5, 12)
    return { topic: '三角形', subtopic: '多边形内角和', difficulty: 5, content: blanks(`正 $${n}$ 边形的内角和为____度．`, [[String((n - 2) * 180)]], `$(${n}-2)\\times 180^\\circ=${(n - 2) * 180}^\\circ$．`, 3) }
  },
  (r) => {
    const [a, b] = [r.int(2, 9), r.int(1, 9)]
    return { topic: '整式的乘法与因式分解', subtopic: '因式分解', difficulty: 4, content: single(r, `把多项式 $${a * a}x^2-${b * b}$ 因式分解，结果正确的是（　）`, `$(${lead(a, 'x')}+${b})(${lead(a, 'x')}-${b})$`, [`$(${lead(a, 'x')}-${b})^2$`, `$(${lead(a, 'x')}+${b})^2$`, `$${a * a}(x+${b})(x-${b})$`], `由平方差公式，$${a * a}x^2-${b * b}=(${lead(a, 'x')}+${b})(${lead(a, 'x')}-${b})$．`, 3) }
  },
  (r) => {
    const [k, n] = [r.int(2, 6), r.pick([2, 3, 5, 6, 7])]
    return { topic: '二次根式', subtopic: '二次根式的乘除', difficulty: 4, content: blanks(`化简：$\\sqrt{${k * k * n}}=$____．`, [[`$${k}\\sqrt{${n}}$`]], `$\\sqrt{${k * k * n}}=\\sqrt{${k}^2\\times ${n}}=${k}\\sqrt{${n}}$．`, 3) }
  },
  (r) => {
    const [angle, radius] = [r.pick([30, 45, 60, 90, 120]), r.int(2, 12)]
    return { topic: '旋转与圆', subtopic: '弧长与扇形面积', difficulty: 3, content: single(r, `半径为 $${radius}$、圆心角为 $${angle}^\\circ$ 的扇形的弧长是（　）`, `$${fraction(angle * radius, 180)}\\pi$`, [`$${fraction(angle * radius, 360)}\\pi$`, `$${fraction(angle * radius * radius, 360)}\\pi$`, `$${fraction(angle * radius, 90)}\\pi$`], `$l=\\dfrac{n\\pi r}{180}=${fraction(angle * radius, 180)}\\pi$．`, 3) }
  },
  (r) => {
    const data = Array.from({ length: 5 }, () => r.int(5, 15)).sort((a, b) => a - b)
    return { topic: '数据的分析与概率', subtopic: '平均数中位数众数', difficulty: 5, content: blanks(`一组数据 $${[data[2], data[0], data[4], data[1], data[3]].join('，')}$ 的中位数是____．`, [[String(data[2])]], `从小到大排列为 $${data.join('，')}$，中间的数是 $${data[2]}$．`, 3) }
  },
]

export const PRIMARY_MATHS: readonly Template[] = [
  (r) => {
    const [a, b] = [r.int(12, 99), r.int(11, 49)]
    return { topic: '数的运算', subtopic: '两位数乘法', difficulty: 5, content: blanks(`$${a}\\times ${b}=$____`, [[String(a * b)]], `$${a}\\times ${b}=${a * b}$．`, 2) }
  },
  (r) => {
    const [b, q] = [r.int(3, 9), r.int(4, 12)]
    const rest = r.int(1, b - 1)
    return { topic: '数的运算', subtopic: '有余数的除法', difficulty: 4, content: blanks(`$${b * q + rest}\\div ${b}=$____……____`, [[String(q)], [String(rest)]], `$${b}\\times ${q}=${b * q}$，$${b * q + rest}-${b * q}=${rest}$．`, 2) }
  },
  (r) => {
    const [a, b, d] = [r.int(1, 5), r.int(1, 5), r.int(7, 12)]
    return { topic: '数的运算', subtopic: '分数加减法', difficulty: 4, content: single(r, `$\\dfrac{${a}}{${d}}+\\dfrac{${b}}{${d}}=$（　）`, `$\\dfrac{${a + b}}{${d}}$`, [`$\\dfrac{${a + b}}{${2 * d}}$`, `$\\dfrac{${a * b}}{${d}}$`, `$\\dfrac{${a + b + 1}}{${d}}$`], `同分母分数相加，分母不变，分子相加．`, 2) }
  },
  (r) => {
    const [v, t] = [r.int(45, 95), r.int(2, 8)]
    return { topic: '解决问题', subtopic: '行程问题', difficulty: 3, content: free(`一辆汽车每小时行 $${v}$ 千米，从甲地到乙地用了 $${t}$ 小时．甲、乙两地相距多少千米？`, [[`$${v}\\times ${t}=${v * t}$（千米）\n答：甲、乙两地相距 $${v * t}$ 千米．`, 5]], `路程＝速度×时间．`) }
  },
  (r) => {
    const [a, b] = [r.int(5, 30), r.int(3, 20)]
    return { topic: '图形的测量', subtopic: '长方形和正方形的面积', difficulty: 4, content: blanks(`一个长方形的长是 $${a}$ 厘米，宽是 $${b}$ 厘米，它的周长是____厘米，面积是____平方厘米。`, [[String(2 * (a + b))], [String(a * b)]], `周长 $=(${a}+${b})\\times 2=${2 * (a + b)}$，面积 $=${a}\\times ${b}=${a * b}$．`, 4) }
  },
  (r) => {
    const [chickens, rabbits] = [r.int(5, 20), r.int(3, 15)]
    return { topic: '解决问题', subtopic: '鸡兔同笼', difficulty: 2, content: free(`笼子里有鸡和兔共 $${chickens + rabbits}$ 只，有 $${2 * chickens + 4 * rabbits}$ 只脚．鸡和兔各有多少只？`, [[`鸡 $${chickens}$ 只，兔 $${rabbits}$ 只．`, 6]], `假设全是鸡，应有 $${2 * (chickens + rabbits)}$ 只脚，少了 $${2 * rabbits}$ 只，兔有 $${2 * rabbits}\\div 2=${rabbits}$ 只．`) }
  },
  (r) => {
    const [a, x] = [r.int(3, 30), r.int(4, 40)]
    return { topic: '式与方程', subtopic: '简易方程', difficulty: 4, content: single(r, `方程 $x+${a}=${a + x}$ 的解是（　）`, `$x=${x}$`, [`$x=${2 * a + x}$`, `$x=${x + 1}$`, `$x=${a}$`], `方程两边同时减去 $${a}$，得 $x=${x}$．`, 2) }
  },
  (r) => {
    const [len, gap] = [r.int(6, 30), r.int(2, 8)]
    return { topic: '解决问题', subtopic: '植树问题', difficulty: 3, content: blanks(`在一条长 $${len * gap}$ 米的小路一旁植树，每隔 $${gap}$ 米栽一棵（两端都栽），一共要栽____棵。`, [[String(len + 1)]], `$${len * gap}\\div ${gap}+1=${len + 1}$（棵）．`, 3) }
  },
  (r) => {
    const [a, b, k] = [r.int(1, 7), r.int(2, 9), r.int(2, 9)]
    return { topic: '比和比例', subtopic: '比的意义', difficulty: 4, content: gcd(a, b) > 1 ? undefined : blanks(`把 $${a * k}:${b * k}$ 化成最简整数比是____。`, [[`$${a}:${b}$`, `${a}:${b}`, `${a}：${b}`]], `比的前项和后项同时除以 $${k}$．`, 2) }
  },
  (r) => {
    const n = r.int(2, 12)
    return { topic: '图形的测量', subtopic: '圆的周长和面积', difficulty: 3, content: single(r, `一个圆的半径是 $${n}$ 分米，它的面积是（　）平方分米．（$\\pi$ 取 $3.14$）`, `$${Math.round(314 * n * n) / 100}$`, [`$${Math.round(628 * n) / 100}$`, `$${Math.round(314 * n) / 100}$`, `$${Math.round(628 * n * n) / 100}$`], `$S=\\pi r^2=3.14\\times ${n}^2=${Math.round(314 * n * n) / 100}$．`, 2) }
  },
]
