import { ListButton } from '../../core/list/list-button.tsx'
import { extendPresentation, present } from '../../core/resource/present.tsx'
import { batchPresentation } from '../code/door.tsx'
import { OrderLink } from '../order/door.tsx'
import { activationCodeGroup, authorizationCodes } from './authorization-code.ts'
import { unit } from './unit.ts'

/** What codes open, kept where they are made. */
const view = batchPresentation(authorizationCodes, () => <ListButton resource={unit} label="套餐" />)

export default extendPresentation(view, present(activationCodeGroup)({ cells: { order_id: ({ row }) => <OrderLink no={row['order_name']} /> } }))
