select count(*) as number_of_orders from {{ ref('small_orders') }}
