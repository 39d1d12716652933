{{ config(materialized='incremental', unique_key='id') }}
select id, customer_id, amount, placed
from {{ ref('orders') }}
{% if is_incremental() %}
where id > (select max(id) - 2 from {{ this }})
{% else %}
where id < 12
{% endif %}
