import { useQuery } from '@tanstack/react-query'
import { Form, type FormInstance } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { pointFrequency } from './calls.ts'
import type { SmartDraft } from './smart-form.tsx'

/** How many points are looked up at once. */
const MOST = 100

/** How often the points of the table came in the last three years, beside it. */
export function Frequency({ form, subjectId }: { form: FormInstance<SmartDraft>; subjectId: number | undefined }) {
  const sections = Form.useWatch('sections', form)
  const labels = Form.useWatch('labels', form)
  const ids = [...new Set([...labels ?? [], ...(sections ?? []).flatMap((section) => section?.rows?.flatMap((row) => row?.label_ids ?? []) ?? [])])].slice(0, MOST)
  const { data } = useQuery({
    queryKey: ['point-frequency', subjectId, ids.join()], enabled: subjectId !== undefined && ids.length > 0, staleTime: 600_000,
    queryFn: ({ signal }) => call(pointFrequency, { cat_id: String(subjectId), label_ids: ids.join() }, { signal, quiet: true }),
  })
  const years = data?.items[0]?.years.map(({ year }) => year) ?? []
  if (ids.length === 0 || !data || data.items.length === 0) return null
  return (
    <table className="smart-frequency">
      <caption>近三年考频（有来源的正式题）</caption>
      <thead><tr><th scope="col">知识点</th>{years.map((year) => <th key={year} scope="col">{year}</th>)}<th scope="col">合计</th></tr></thead>
      <tbody>{data.items.map(({ label_id, name, years: own }) => <tr key={label_id}><th scope="row">{name}</th>{own.map(({ year, questions }) => <td key={year}>{questions}</td>)}<td>{own.reduce((sum, { questions }) => sum + questions, 0)}</td></tr>)}</tbody>
    </table>
  )
}
