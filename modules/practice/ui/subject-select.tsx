import { Select } from 'antd'
import { useSubjects } from './use-practice.tsx'

/** Picks a subject of a stage, or of any, within the person's reach. */
export function SubjectSelect({ value, onChange, level }: { level?: 0 | 1 | 2 | undefined; value: number | undefined; onChange: (id: number) => void }) {
  const subjects = useSubjects(level)
  return (
    <Select className="wide" aria-label="学科" placeholder="选择学科" value={value ?? null} showSearch={{ optionFilterProp: 'label' }} options={subjects.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id: number | null) => { if (id !== null) onChange(id) }} />
  )
}
