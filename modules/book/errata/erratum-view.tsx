import { Link } from 'react-router'
import { present } from '../../../core/resource/present.tsx'
import { pagesPath } from '../paths.ts'
import { erratum } from './erratum.ts'

const text = ({ value }: { value: unknown }) => <span className="errata-text">{String(value ?? '')}</span>

/** Errata: each page is one step away. */
export default present(erratum)({
  cells: { wrong: text, right: text, page_no: ({ value, row }) => <Link className="figure" to={`${pagesPath(row.book_id)}&page=${value}`}>{value}</Link> },
  slots: { head: ({ row }) => <p><Link to={`${pagesPath(row.book_id)}&page=${row.page_no}`}>电子书第 {row.page_no} 页</Link> · 挂在 {Number(row.code_cnt ?? 0)} 个二维码后 · 涉及 {Number(row.copies ?? 0).toLocaleString('zh-CN')} 册</p> },
})
