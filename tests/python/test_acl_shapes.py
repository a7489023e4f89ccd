"""The arguments, results and type errors of every function."""

import ast
import types
from pathlib import Path

import pytest

import acl

STATUS, ONE, TWO, THREE = 0, 1, 2, 3  # outputs before the status

# Arguments that are safe to pass, mostly nothing at all, and the outputs of the answer.
ROOT = {
    "get_version": ((), THREE),
    "get_cann_version": ((0,), ONE),
    "get_version_str": (("runtime",), ONE),
    "destroy_data_buffer": ((0,), STATUS),
    "update_data_buffer": ((0, 0, 0), STATUS),
}

RT = {
    "set_device": ((0,), STATUS),
    "reset_device": ((99,), STATUS),
    "reset_device_force": ((99,), STATUS),
    "get_device": ((), ONE),
    "get_device_count": ((), ONE),
    "get_run_mode": ((), ONE),
    "synchronize_device": ((), STATUS),
    "create_context": ((99,), ONE),
    "destroy_context": ((0,), STATUS),
    "set_context": ((1,), STATUS),
    "get_context": ((), ONE),
    "create_stream_with_config": ((0, 0), ONE),
    "create_stream": ((), ONE),
    "destroy_stream": ((0,), STATUS),
    "destroy_stream_force": ((0,), STATUS),
    "synchronize_stream": ((1,), STATUS),
    "synchronize_stream_with_timeout": ((1, 100), STATUS),
    "stream_query": ((1,), ONE),
    "stream_abort": ((1,), STATUS),
    "stream_get_id": ((1,), ONE),
    "get_stream_available_num": ((), ONE),
    "set_stream_attribute": ((1, 1, {}), STATUS),
    "get_stream_attribute": ((1, 1), ONE),
    "set_stream_failure_mode": ((1, 0), STATUS),
    "create_event": ((), ONE),
    "create_event_with_flag": ((1,), ONE),
    "create_event_ex_with_flag": ((1,), ONE),
    "destroy_event": ((1,), STATUS),
    "record_event": ((1, 0), STATUS),
    "reset_event": ((1, 0), STATUS),
    "stream_wait_event": ((0, 1), STATUS),
    "synchronize_event": ((1,), STATUS),
    "synchronize_event_with_timeout": ((1, 100), STATUS),
    "query_event": ((1,), ONE),
    "query_event_status": ((1,), ONE),
    "query_event_wait_status": ((1,), ONE),
    "event_elapsed_time": ((1, 1), ONE),
    "event_get_timestamp": ((1,), ONE),
    "get_event_id": ((1,), ONE),
    "subscribe_report": ((1, 1), STATUS),
    "unsubscribe_report": ((1, 1), STATUS),
    "process_report": ((0,), STATUS),
    "launch_callback": ((print, None, 9, 0), STATUS),
    "set_exception_info_callback": ((None,), STATUS),
    "get_task_id_from_exception_info": ((0,), STATUS),
    "get_stream_id_from_exception_info": ((0,), STATUS),
    "get_thread_id_from_exception_info": ((0,), STATUS),
    "get_device_id_from_exception_info": ((0,), STATUS),
    "get_error_code_from_exception_info": ((0,), STATUS),
    "malloc": ((0, 0), ONE),
    "malloc_align32": ((0, 0), ONE),
    "malloc_cached": ((0, 0), ONE),
    "malloc_with_cfg": ((0, 0, {}), ONE),
    "free": ((0,), STATUS),
    "malloc_host": ((0,), ONE),
    "malloc_host_with_cfg": ((0, {}), ONE),
    "free_host": ((0,), STATUS),
    "memset": ((0, 0, 0, 1), STATUS),
    "memset_async": ((0, 0, 0, 1, 0), STATUS),
    "memcpy": ((0, 0, 0, 1, 1), STATUS),
    "memcpy_async": ((0, 0, 0, 1, 1, 0), STATUS),
    "memcpy_async_with_condition": ((0, 0, 0, 1, 1, 0), STATUS),
    "memcpy2d": ((0, 0, 0, 0, 1, 1, 1), STATUS),
    "memcpy2d_async": ((0, 0, 0, 0, 1, 1, 1, 0), STATUS),
    "get_memcpy_desc_size": ((6,), ONE),
    "set_memcpy_desc": ((0, 6, 0, 0, 1, 0), ONE),
    "memcpy_async_with_desc": ((0, 6, 0), STATUS),
    "memcpy_batch": (([], [], [], [], 0, [], [], 0), ONE),
    "memcpy_batch_async": (([], [], [], [], 0, [], [], 0, 0), ONE),
    "mem_flush": ((0, 0), STATUS),
    "mem_invalidate": ((0, 0), STATUS),
    "get_mem_info": ((0,), TWO),
    "pointer_get_attributes": ((0,), ONE),
    "host_register": ((0, 0, 0), ONE),
    "host_unregister": ((0,), STATUS),
    "host_register_v2": ((0, 0, 0), STATUS),
    "host_get_device_pointer": ((0, 0), ONE),
    "device_can_access_peer": ((0, 0), ONE),
    "device_enable_peer_access": ((0, 0), STATUS),
    "device_disable_peer_access": ((0,), STATUS),
    "device_peer_access_status": ((0, 0), ONE),
    "reserve_mem_address": ((0, 0, 0, 0), ONE),
    "malloc_physical": ((0, {}, 0), ONE),
    "map_mem": ((0, 0, 0, 0, 0), STATUS),
    "unmap_mem": ((0,), STATUS),
    "free_physical": ((0,), STATUS),
    "release_mem_address": ((0,), STATUS),
    "mem_export_to_shareable_handle": ((0, 0, 0), ONE),
    "mem_import_from_shareable_handle": ((0, 0), ONE),
    "mem_set_pid_to_shareable_handle": ((0, []), STATUS),
    "mem_get_allocation_granularity": (({}, 0), ONE),
    "device_get_bare_tgid": ((), ONE),
    "ipc_mem_get_export_key": ((0, 0, 0, 0), ONE),
    "ipc_mem_set_import_pid": (("key", []), STATUS),
    "ipc_mem_import_by_key": (("key", 0), ONE),
    "ipc_mem_close": (("key",), STATUS),
    "value_write": ((0, 0, 0, 0), STATUS),
    "value_wait": ((0, 0, 0, 0), STATUS),
    "peek_at_last_error": ((0,), STATUS),
    "get_last_error": ((0,), STATUS),
    "get_thread_last_task_id": ((), ONE),
    "reduce_async": ((0, 0, 0, 10, 0, 0, 0), STATUS),
}

PLAIN = {  # no status at all
    "create_data_buffer": (0, 0), "get_data_buffer_addr": (0,), "get_data_buffer_size": (0,),
    "data_type_size": (0,), "get_soc_name": (), "get_recent_err_msg": (), "app_log": (1, "text"),
}
IN_OWN_PROCESS = {"init", "finalize", "finalize_reference"}

ROWS = ([(acl, name, *row) for name, row in ROOT.items()] +
        [(acl.rt, name, *row) for name, row in RT.items()])


def functions_of(module):
    return {name for name, thing in vars(module).items()
            if callable(thing) and not name.startswith("_")}


def test_every_function_is_in_these_tables():
    assert functions_of(acl) == set(ROOT) | set(PLAIN) | IN_OWN_PROCESS
    assert functions_of(acl.rt) == set(RT)
    assert functions_of(acl.util) == {"bytes_to_ptr", "ptr_to_bytes", "numpy_to_ptr",
                                      "numpy_contiguous_to_ptr", "ptr_to_numpy", "start_thread",
                                      "stop_thread"}


def test_there_are_no_constants():
    for module in (acl, acl.rt, acl.util):
        for name, thing in vars(module).items():
            assert name.startswith("_") or callable(thing) or isinstance(thing, types.ModuleType)


@pytest.mark.parametrize("module, name, arguments, outputs", ROWS,
                         ids=[f"{row[0].__name__}.{row[1]}" for row in ROWS])
def test_outputs_precede_the_status(acl_device, module, name, arguments, outputs):
    answer = getattr(module, name)(*arguments)

    if outputs == STATUS:
        assert isinstance(answer, int)
    else:
        assert isinstance(answer, tuple)
        assert len(answer) == outputs + 1
        assert isinstance(answer[-1], int)
        assert all(isinstance(each, (int, float, str, dict)) for each in answer[:-1])


@pytest.mark.parametrize("module, name, arguments, outputs", ROWS,
                         ids=[f"{row[0].__name__}.{row[1]}" for row in ROWS])
def test_arguments_are_counted_and_typed(module, name, arguments, outputs):
    function = getattr(module, name)

    with pytest.raises(TypeError, match="argument"):
        function(*arguments, 0)
    with pytest.raises(TypeError):
        function(**{"anything": 1})
    for position in range(len(arguments)):
        if name == "launch_callback" and position == 1:
            continue  # anything can be passed to a callback
        for thing in (object(), 1.5):
            wrong = [*arguments]
            wrong[position] = thing
            with pytest.raises(TypeError):
                function(*wrong)


def test_functions_without_status_return_value(acl_device):
    assert isinstance(acl.get_soc_name(), str)
    assert acl.app_log(1, "text") is None
    assert acl.data_type_size(0) == 4
    buffer = acl.create_data_buffer(4096, 64)
    assert (acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size(buffer)) == (4096, 64)
    assert acl.update_data_buffer(buffer, 8192, 32) == 0
    assert (acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size(buffer)) == (8192, 32)
    assert acl.destroy_data_buffer(buffer) == 0


@pytest.mark.parametrize("name", PLAIN)
def test_plain_functions_count_their_arguments_too(name):
    with pytest.raises(TypeError):
        getattr(acl, name)(*PLAIN[name], 0)


def test_the_submodules_can_be_imported():
    import acl.rt
    import acl.util
    from acl.rt import memcpy
    from acl.util import bytes_to_ptr

    assert memcpy is acl.rt.memcpy
    assert bytes_to_ptr is acl.util.bytes_to_ptr
    assert acl.rt.__name__ == "acl.rt"


@pytest.mark.parametrize("stub, module", [("__init__", acl), ("rt", acl.rt), ("util", acl.util)])
def test_the_stubs_name_every_function(stub, module):
    root = Path(__file__).resolve().parents[2]
    tree = ast.parse((root / f"python/acl/{stub}.pyi").read_text())

    assert functions_of(module) == {each.name for each in tree.body
                                    if isinstance(each, ast.FunctionDef)}
