import { blanks, free, several, single } from './build.ts'
import type { Template } from './maths.ts'

const trim = (n: number, digits = 2) => String(Math.round(n * 10 ** digits) / 10 ** digits)

export const SENIOR_PHYSICS: readonly Template[] = [
  (r) => {
    const [v, a, t] = [r.int(0, 20), r.int(1, 6), r.int(2, 10)]
    return { topic: '运动的描述', subtopic: '匀变速直线运动', difficulty: 4, content: blanks(`一物体以 $v_0=${v}\\ \\mathrm{m/s}$ 的初速度做匀加速直线运动，加速度为 $${a}\\ \\mathrm{m/s^2}$，则 $${t}\\ \\mathrm{s}$ 末的速度为____$\\mathrm{m/s}$，$${t}\\ \\mathrm{s}$ 内的位移为____$\\mathrm{m}$．`, [[String(v + a * t)], [trim(v * t + a * t * t / 2)]], `$v=v_0+at=${v + a * t}\\ \\mathrm{m/s}$，$x=v_0t+\\dfrac12at^2=${trim(v * t + a * t * t / 2)}\\ \\mathrm{m}$．`) }
  },
  (r) => {
    const h = r.pick([5, 20, 45, 80, 125])
    const t = Math.sqrt(h / 5)
    return { topic: '运动的描述', subtopic: '自由落体运动', difficulty: 4, content: single(r, `一小球从离地 $${h}\\ \\mathrm{m}$ 高处由静止自由下落，不计空气阻力，$g$ 取 $10\\ \\mathrm{m/s^2}$，小球落地时的速度大小为（　）`, `$${10 * t}\\ \\mathrm{m/s}$`, [`$${5 * t}\\ \\mathrm{m/s}$`, `$${h}\\ \\mathrm{m/s^2}$`, `$${20 * t}\\ \\mathrm{m/s}$`], `由 $v^2=2gh$ 得 $v=${10 * t}\\ \\mathrm{m/s}$．`, 6) }
  },
  (r) => {
    const [m, f] = [r.int(1, 8), r.int(5, 40)]
    return { topic: '牛顿运动定律', subtopic: '牛顿第二定律', difficulty: 4, content: single(r, `质量为 $${m}\\ \\mathrm{kg}$ 的物体静止在光滑水平面上，受到 $${m * f}\\ \\mathrm{N}$ 的水平推力，则物体的加速度大小为（　）`, `$${f}\\ \\mathrm{m/s^2}$`, [`$${m * f}\\ \\mathrm{m/s^2}$`, `$${trim(1 / f, 3)}\\ \\mathrm{m/s^2}$`, `$${f + m}\\ \\mathrm{m/s^2}$`], `由 $F=ma$ 得 $a=\\dfrac{F}{m}=${f}\\ \\mathrm{m/s^2}$．`, 6) }
  },
  (r) => {
    const [m1, m2, v] = [r.int(1, 6), r.int(1, 6), r.int(2, 12)]
    return { topic: '动量', subtopic: '动量守恒定律', difficulty: 3, content: free(`在光滑水平面上，质量为 $${m1}\\ \\mathrm{kg}$ 的物块 $A$ 以 $${v}\\ \\mathrm{m/s}$ 的速度与静止的、质量为 $${m2}\\ \\mathrm{kg}$ 的物块 $B$ 碰撞后粘在一起．\n（1）求碰后的共同速度；\n（2）求碰撞过程中损失的机械能．`, [[`$v'=${trim(m1 * v / (m1 + m2))}\\ \\mathrm{m/s}$`, 5], [`$\\Delta E=${trim(m1 * v * v / 2 - (m1 * v) ** 2 / 2 / (m1 + m2))}\\ \\mathrm{J}$`, 5]], `由动量守恒 $m_1v=(m_1+m_2)v'$，再由能量关系求损失的机械能．`) }
  },
  (r) => {
    const [e, ri, ro] = [r.int(3, 12), r.int(1, 3), r.int(2, 12)]
    return { topic: '恒定电流', subtopic: '闭合电路欧姆定律', difficulty: 4, content: blanks(`电动势为 $${e}\\ \\mathrm{V}$、内阻为 $${ri}\\ \\Omega$ 的电源与 $${ro}\\ \\Omega$ 的电阻组成闭合电路，则电路中的电流为____$\\mathrm{A}$，路端电压为____$\\mathrm{V}$．（结果保留两位小数）`, [[trim(e / (ri + ro))], [trim(e * ro / (ri + ro))]], `$I=\\dfrac{E}{R+r}$，$U=IR$．`) }
  },
  (r) => {
    const [b, i, l] = [r.int(1, 9) / 10, r.int(1, 10), r.int(1, 20) / 10]
    return { topic: '磁场', subtopic: '安培力', difficulty: 4, content: single(r, `长 $${l}\\ \\mathrm{m}$ 的直导线垂直放在磁感应强度为 $${b}\\ \\mathrm{T}$ 的匀强磁场中，通过 $${i}\\ \\mathrm{A}$ 的电流时所受安培力的大小为（　）`, `$${trim(b * i * l, 3)}\\ \\mathrm{N}$`, [`$${trim(b * i, 3)}\\ \\mathrm{N}$`, `$0$`, `$${trim(b * i * l * 2, 3)}\\ \\mathrm{N}$`], `$F=BIL=${trim(b * i * l, 3)}\\ \\mathrm{N}$．`, 6) }
  },
  (r) => {
    const h = r.pick([1.8, 3.2, 5, 7.2, 9.8, 20])
    const v = r.int(2, 15)
    const t = Math.sqrt(h / 5)
    return { topic: '曲线运动', subtopic: '平抛运动', difficulty: 3, content: several(r, `将一小球从 $${h}\\ \\mathrm{m}$ 高处以 $${v}\\ \\mathrm{m/s}$ 的速度水平抛出，不计空气阻力，$g$ 取 $10\\ \\mathrm{m/s^2}$．下列说法正确的有（　）`, [`小球在空中运动的时间为 $${trim(t, 1)}\\ \\mathrm{s}$`, `小球的水平位移为 $${trim(v * t, 1)}\\ \\mathrm{m}$`], ['小球做匀速圆周运动', '初速度越大，在空中运动的时间越长'], `竖直方向 $h=\\dfrac12gt^2$，$t=${trim(t, 1)}\\ \\mathrm{s}$，与初速度无关；水平位移 $x=v_0t$．`) }
  },
]

export const JUNIOR_PHYSICS: readonly Template[] = [
  (r) => {
    const [m, v] = [r.int(2, 30), r.int(2, 15)]
    return { topic: '质量与密度', subtopic: '密度', difficulty: 5, content: blanks(`质量为 $${m * v}\\ \\mathrm{g}$、体积为 $${v}\\ \\mathrm{cm^3}$ 的物块，其密度为____$\\mathrm{g/cm^3}$．`, [[String(m)]], `$\\rho=\\dfrac{m}{V}=${m}\\ \\mathrm{g/cm^3}$．`, 3) }
  },
  (r) => {
    const [u, res] = [r.int(2, 12), r.int(2, 30)]
    return { topic: '电压与电阻', subtopic: '欧姆定律', difficulty: 4, content: single(r, `某定值电阻的阻值为 $${res}\\ \\Omega$，两端电压为 $${u * res / 10}\\ \\mathrm{V}$ 时，通过它的电流是（　）`, `$${u / 10}\\ \\mathrm{A}$`, [`$${u}\\ \\mathrm{A}$`, `$${trim(u * res * res / 10)}\\ \\mathrm{A}$`, `$${trim(u / 10 + 0.1)}\\ \\mathrm{A}$`], `$I=\\dfrac{U}{R}=${u / 10}\\ \\mathrm{A}$．`, 3) }
  },
  (r) => {
    const [f, s, t] = [r.int(10, 200), r.int(2, 20), r.int(2, 20)]
    return { topic: '功和机械能', subtopic: '功率', difficulty: 4, content: blanks(`用 $${f}\\ \\mathrm{N}$ 的水平推力使箱子在 $${t}\\ \\mathrm{s}$ 内沿水平方向前进 $${s * t}\\ \\mathrm{m}$，推力做功____$\\mathrm{J}$，功率为____$\\mathrm{W}$．`, [[String(f * s * t)], [String(f * s)]], `$W=Fs=${f * s * t}\\ \\mathrm{J}$，$P=\\dfrac{W}{t}=${f * s}\\ \\mathrm{W}$．`, 4) }
  },
  (r) => {
    const [h] = [r.int(1, 40)]
    return { topic: '压强', subtopic: '液体的压强', difficulty: 4, content: single(r, `水下 $${h}\\ \\mathrm{m}$ 深处，水产生的压强为（　）（$g$ 取 $10\\ \\mathrm{N/kg}$）`, `$${h}\\times 10^4\\ \\mathrm{Pa}$`, [`$${h}\\times 10^3\\ \\mathrm{Pa}$`, `$${h}\\times 10^5\\ \\mathrm{Pa}$`, `$${2 * h}\\times 10^4\\ \\mathrm{Pa}$`], `$p=\\rho gh=1\\times10^3\\times10\\times${h}\\ \\mathrm{Pa}=${h}\\times10^4\\ \\mathrm{Pa}$．`, 3) }
  },
  (r) => {
    const [s, t] = [r.int(3, 30), r.int(2, 12)]
    return { topic: '机械运动', subtopic: '平均速度', difficulty: 5, content: blanks(`小华骑自行车 $${t}\\ \\mathrm{min}$ 行驶了 $${s * t * 60}\\ \\mathrm{m}$，平均速度为____$\\mathrm{m/s}$．`, [[String(s)]], `$v=\\dfrac{s}{t}=${s}\\ \\mathrm{m/s}$．`, 3) }
  },
  (r) => {
    const [u, p] = [220, r.pick([40, 60, 100, 500, 800, 1000, 1100, 2000, 2200])]
    return { topic: '电功率', subtopic: '电功率', difficulty: 3, content: free(`某用电器的铭牌上标有“$${u}\\ \\mathrm{V}\\ ${p}\\ \\mathrm{W}$”．\n（1）求它正常工作时的电流；\n（2）求它正常工作 $2\\ \\mathrm{h}$ 消耗的电能．`, [[`$I=${trim(p / u)}\\ \\mathrm{A}$`, 3], [`$W=${trim(p * 2 / 1000)}\\ \\mathrm{kW\\cdot h}$`, 3]], `$I=\\dfrac{P}{U}$，$W=Pt$．`) }
  },
]

const MOLES = [['H_2O', 18, '水'], ['CO_2', 44, '二氧化碳'], ['NaCl', 58.5, '氯化钠'], ['NaOH', 40, '氢氧化钠'], ['H_2SO_4', 98, '硫酸'], ['O_2', 32, '氧气'], ['N_2', 28, '氮气'], ['NH_3', 17, '氨气'], ['CaCO_3', 100, '碳酸钙'], ['Fe_2O_3', 160, '氧化铁']] as const
const EQUATIONS = [
  ['金属及其化合物', '钠及其化合物', '钠与水反应', '\\ce{2Na + 2H2O = 2NaOH + H2 ^}'], ['金属及其化合物', '铁及其化合物', '铁与氯化铜溶液反应', '\\ce{Fe + CuCl2 = FeCl2 + Cu}'], ['非金属及其化合物', '氯及其化合物', '氯气与水反应', '\\ce{Cl2 + H2O <=> HCl + HClO}'],
  ['非金属及其化合物', '硫及其化合物', '二氧化硫的催化氧化', '\\ce{2SO2 + O2 <=>[\\text{催化剂}][\\triangle] 2SO3}'], ['非金属及其化合物', '氮及其化合物', '工业合成氨', '\\ce{N2 + 3H2 <=>[\\text{高温高压}][\\text{催化剂}] 2NH3}'], ['有机化学基础', '烃', '甲烷完全燃烧', '\\ce{CH4 + 2O2 ->[\\text{点燃}] CO2 + 2H2O}'],
] as const

export const SENIOR_CHEMISTRY: readonly Template[] = [
  (r) => {
    const [formula, mass, name] = r.pick(MOLES)
    const n = r.int(1, 20) / 4
    return { topic: '物质及其变化', subtopic: '物质的量', difficulty: 5, content: blanks(`$${trim(n)}\\ \\mathrm{mol}$ ${name}（$\\ce{${formula}}$）的质量为____$\\mathrm{g}$．`, [[trim(n * mass)]], `$m=nM=${trim(n)}\\times ${mass}=${trim(n * mass)}\\ \\mathrm{g}$．`, 4) }
  },
  (r) => {
    const n = r.int(1, 24) / 4
    return { topic: '物质及其变化', subtopic: '气体摩尔体积', difficulty: 4, content: single(r, `标准状况下，$${trim(n * 22.4)}\\ \\mathrm{L}$ 氧气的物质的量为（　）`, `$${trim(n)}\\ \\mathrm{mol}$`, [`$${trim(n * 32)}\\ \\mathrm{mol}$`, `$${trim(2 * n)}\\ \\mathrm{mol}$`, `$${trim(n / 2, 3)}\\ \\mathrm{mol}$`], `$n=\\dfrac{V}{V_m}=\\dfrac{${trim(n * 22.4)}}{22.4}=${trim(n)}\\ \\mathrm{mol}$．`, 4) }
  },
  (r) => {
    const [topic, subtopic, what, equation] = r.pick(EQUATIONS)
    return { topic, subtopic, difficulty: 4, content: free(`写出${what}的化学方程式，并指出生成物．`, [[`$${equation}$`, 4]], `根据反应物的性质和质量守恒定律书写并配平：$${equation}$`) }
  },
  (r) => {
    const k = r.int(1, 12)
    return { topic: '水溶液中的离子平衡', subtopic: '水的电离与pH', difficulty: 4, content: single(r, `$25\\ ^\\circ\\mathrm C$ 时，$c(\\ce{H+})=1\\times10^{-${k}}\\ \\mathrm{mol/L}$ 的溶液的 $\\mathrm{pH}$ 为（　）`, `$${k}$`, [`$${14 - k === k ? k + 2 : 14 - k}$`, `$-${k}$`, `$${k + 1}$`], `$\\mathrm{pH}=-\\lg c(\\ce{H+})=${k}$．`, 4) }
  },
  (r) => {
    const [a, b] = [r.int(2, 9), r.int(1, 5)]
    return { topic: '化学反应速率与平衡', subtopic: '反应速率', difficulty: 4, content: blanks(`在 $2\\ \\mathrm L$ 密闭容器中，某反应物的物质的量在 $${b}\\ \\mathrm{min}$ 内减少了 $${trim(a * b * 0.2)}\\ \\mathrm{mol}$，则该反应物的平均反应速率为____$\\mathrm{mol\\cdot L^{-1}\\cdot min^{-1}}$．`, [[trim(a * 0.1)]], `$v=\\dfrac{\\Delta n}{V\\Delta t}=${trim(a * 0.1)}$．`, 4) }
  },
]

export const JUNIOR_CHEMISTRY: readonly Template[] = [
  (r) => {
    const [salt, water] = [r.int(5, 40), r.int(60, 200)]
    return { topic: '溶液', subtopic: '溶质的质量分数', difficulty: 4, content: blanks(`将 $${salt}\\ \\mathrm g$ 氯化钠完全溶解在 $${water}\\ \\mathrm g$ 水中，所得溶液的溶质质量分数为____$\\%$．（保留一位小数）`, [[trim(salt * 100 / (salt + water), 1)]], `$\\dfrac{${salt}}{${salt}+${water}}\\times100\\%=${trim(salt * 100 / (salt + water), 1)}\\%$．`, 3) }
  },
  (r) => {
    const [formula, mass, name] = r.pick(MOLES)
    return { topic: '物质构成的奥秘', subtopic: '化学式与化合价', difficulty: 4, content: single(r, `${name}（$\\ce{${formula}}$）的相对分子质量为（　）`, `$${mass}$`, [`$${mass + 1}$`, `$${mass - 2}$`, `$${mass * 2}$`], `由各元素的相对原子质量之和得 $${mass}$．`, 3) }
  },
  (r) => {
    const n = r.int(1, 12)
    return { topic: '化学方程式', subtopic: '利用方程式计算', difficulty: 3, content: free(`电解 $${18 * n}\\ \\mathrm g$ 水，最多可以得到多少克氢气？`, [[`可以得到 $${2 * n}\\ \\mathrm g$ 氢气．`, 5]], `$\\ce{2H2O ->[\\text{通电}] 2H2 ^ + O2 ^}$，$36:4=${18 * n}:x$，$x=${2 * n}$．`) }
  },
  (r) => {
    const metals = ['K', 'Ca', 'Na', 'Mg', 'Al', 'Zn', 'Fe', 'Sn', 'Pb', 'Cu', 'Hg', 'Ag'] as const
    const order = [r.int(0, 2), r.int(3, 5), r.int(6, 8), r.int(9, 11)].map((index) => metals[index] ?? 'K')
    return { topic: '金属和金属材料', subtopic: '金属活动性顺序', difficulty: 4, content: single(r, `下列金属中，活动性最强的是（　）（备选：$\\ce{${order.join(', ')}}$）`, `$\\ce{${order[0]}}$`, order.slice(1).map((metal) => `$\\ce{${metal}}$`), `在金属活动性顺序中，$\\ce{${order[0]}}$ 排在最前面．`, 3) }
  },
]
