import { ListButton } from '../../core/list/list-button.tsx'
import { batchPresentation } from '../code/door.tsx'
import { OrderLink } from '../order/door.tsx'
import { authorizationCodes } from './authorization-code.ts'
import { unit } from './unit.ts'

/** What codes open, kept where they are made. */
const view = batchPresentation(authorizationCodes, () => <ListButton resource={unit} label="套餐" />)

export default { ...view, cells: { ...view.cells, order_id: ({ row }: { row: Readonly<Record<string, unknown>> }) => <OrderLink no={row['order_name']} /> } }
