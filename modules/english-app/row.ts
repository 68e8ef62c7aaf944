import { PRODUCT_LINES, type ProductLine } from '../reference/module.ts'

/** Code of the line, and what its calls stand below. */
const CODE = 'english_app'
export const ENGLISH_API = `/daoyuan/api/end/${CODE}`

const row = PRODUCT_LINES.find(({ code }) => code === CODE)
if (!row) throw new Error('小学应用 is no product line')
/** What the line is; what follows from it stands in line.ts, which is fetched with the first of its screens. */
export const ENGLISH_LINE: ProductLine = row

/** Value of `show` in the address of the series' screen that stands for its courses. */
export const OFFERS = 'offer'

/** Where courses are shown: 单词详情 has the path that other lines have for them (spec 2). */
export const OFFERS_AT = `/englishApp/series?show=${OFFERS}`
